import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  between,
  loginShellPath,
  mergePaths,
  type ShellPathOptions,
} from '../../../src-main/adapters/process/login-shell-path.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

let temp: ReturnType<typeof makeTempFolder>;
beforeEach(() => {
  temp = makeTempFolder('shell');
});
afterEach(() => temp[Symbol.dispose]());

/** A shell of the person's, which is told to run the command that is asked. */
function shell(start: string): string {
  const file = temp.join('their-shell');
  writeFileSync(file, `#!/bin/sh\n${start}\n[ "$1" = -ilc ] && eval "$2"\n`);
  chmodSync(file, 0o755);
  return file;
}
const ask = (over: Partial<ShellPathOptions> = {}) =>
  loginShellPath({
    env: { PATH: '/usr/bin:/bin', HOME: temp.path },
    platform: 'linux',
    clock: systemClock,
    isTerminal: false,
    marker: 'b7e1c0',
    ...over,
  });
const withShell = (start: string, more: Record<string, string> = {}) =>
  ask({ env: { PATH: '/usr/bin:/bin', HOME: temp.path, SHELL: shell(start), ...more } });

describe('the PATH of the login shell', () => {
  test('is what its start-up files make it, whatever else they print', async () => {
    const start = 'echo "Welcome /to/this"; export PATH="/opt/their tools:$PATH"; echo more >&2';
    expect(await withShell(start)).toEqual({
      kind: 'found',
      path: '/opt/their tools:/usr/bin:/bin',
      shell: temp.join('their-shell'),
    });
  });

  test('a real shell reads its files as in a terminal', async () => {
    writeFileSync(temp.join('.bash_profile'), 'export PATH="/opt/from-profile:$PATH"\n');
    const found = await ask({ env: { PATH: '/usr/bin:/bin', HOME: temp.path, SHELL: '/bin/bash' } });
    expect(found.kind === 'found' ? found.path.split(':')[0] : found).toBe('/opt/from-profile');
  });

  test('a shell that hangs is ended after three seconds, with what it has started', async () => {
    const pidFile = temp.join('pid');
    const begun = performance.now();
    const found = await withShell(`sleep 600 & echo $! > ${pidFile}; wait`);
    expect([found, performance.now() - begun < 8000, existsSync(pidFile)]).toEqual([
      { kind: 'failed', problem: expect.stringContaining('did not answer within 3 seconds') },
      true,
      true,
    ]);
    await waitUntil('the child of the shell has ended', async () => {
      const { readFile } = await import('node:fs/promises');
      const pid = (await readFile(pidFile, 'utf8')).trim();
      const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return state === '' || / [ZX] /.test(state);
    });
  });

  test.each([
    ['exit 3', 'ended without an answer (exit 3)'],
    ['unset PATH', 'ended without an answer|told no PATH'],
    ['while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done', 'printed too much'],
  ])('a shell that does not tell is no failure of ours: %s', async (start, problem) => {
    expect(await withShell(start)).toEqual({
      kind: 'failed',
      problem: expect.stringMatching(new RegExp(problem.replace(/[()]/g, '\\$&'))),
    });
  });

  test.each(['/nowhere/sh', 'sh'])('a shell that is none is passed over: %s', async (file) => {
    expect((await ask({ env: { SHELL: file, HOME: temp.path } })).kind).toBe('failed');
  });

  test.each([
    [{ platform: 'win32' as const }],
    [{ isTerminal: true }],
    [{ env: { TERM: 'xterm-256color', SHELL: '/nowhere' } }],
  ])('is not asked for on Windows and from a terminal: %j', async (over) => {
    expect(await ask(over)).toEqual({ kind: 'not-asked' });
  });

  test('comes first, without doubles and relative folders', () => {
    expect(mergePaths('/opt/a:/usr/bin:node_modules/.bin', '/usr/bin:/bin::.')).toBe('/opt/a:/usr/bin:/bin');
    expect(mergePaths('/opt/a', undefined)).toBe('/opt/a');
  });

  test('is read only once both markers are there', () => {
    expect([between('x M\n/a', 'M'), between('x M\n/a\nM y', 'M')]).toEqual([null, '/a']);
  });
});
