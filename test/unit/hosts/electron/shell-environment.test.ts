import { expect, test } from 'vitest';
import { withShellPath } from '../../../../src-main/hosts/electron/shell-environment.ts';
import { checkPath } from '../../../../src-main/hub/doctor-path.ts';
import type { DoctorHost } from '../../../../src-main/hub/doctor-check.ts';

const ENV = { PATH: '/usr/bin:/bin', HOME: '/home/ada' };
const notes = (env: Readonly<Record<string, string | undefined>>) =>
  checkPath({ env } as unknown as DoctorHost);

test('the folders of the login shell come first, and nothing else of it is taken', () => {
  const env = withShellPath(ENV, { kind: 'found', path: '/home/ada/.local/bin:/bin', shell: '/bin/zsh' });
  expect(env).toEqual({ HOME: '/home/ada', PATH: '/home/ada/.local/bin:/bin:/usr/bin' });
  expect(notes(env)).toEqual([]);
});

test('a shell that told nothing leaves everything as it is, and doctor says why', () => {
  const env = withShellPath(ENV, { kind: 'failed', problem: '/bin/zsh told no PATH' });
  expect({ ...env, SIGNALBOX_PATH_NOTE: undefined }).toEqual({ ...ENV, SIGNALBOX_PATH_NOTE: undefined });
  expect(notes(env)).toEqual([
    {
      name: 'PATH',
      status: 'warning',
      found: 'programs are looked for in /usr/bin:/bin; /bin/zsh told no PATH',
      fix: expect.stringContaining('start Signalbox from a terminal'),
    },
  ]);
});

test('from a terminal nothing is changed and nothing is said', () => {
  const env = withShellPath(ENV, { kind: 'not-asked' });
  expect([env, notes(env)]).toEqual([ENV, []]);
});
