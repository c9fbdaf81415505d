import { describe, expect, test } from 'vitest';
import { missingForStub, suggestRead } from '../../../../src-main/adapters/test-runner/executable.ts';
import { commandWords, invocation, type Fence } from '../../../../src-main/adapters/test-runner/run-plan.ts';
import type { CommandRequest } from '../../../../src-main/core/ports/commands.ts';
import { seconds } from '../../../../src-shared/time.ts';

const fence = (more: Partial<Fence> = {}): Fence => ({
  confinement: 'none',
  sandbox: null,
  account: null,
  scratch: null,
  plan: {
    tree: '/data/trees/t',
    gitPointer: null,
    empty: ['/home/ada'],
    reads: [],
    hiddenFolders: [],
    hiddenFiles: [],
    allowNetwork: false,
  },
  ...more,
});
const agent = { name: 'agent', uid: 990, gid: 980 };
const ENV = {
  PATH: '/usr/bin',
  HOME: '/home/ada',
  USER: 'ada',
  TMPDIR: '/home/ada/tmp',
  TOKEN: "it's secret",
};

test('without a fence the command runs as it is', () => {
  expect(invocation(fence(), ['npm', 'test'], ENV, false, 'hub_1:att_1')).toEqual({
    file: 'npm',
    args: ['test'],
    env: ENV,
    input: null,
  });
});

test('in the sandbox the command follows the arguments of bubblewrap, with its own temporary folder', () => {
  const { file, args, env, input } = invocation(
    fence({ confinement: 'bubblewrap', sandbox: 'bubblewrap' }),
    ['npm', '--', 'test'],
    ENV,
    false,
    'hub_1:att_1',
  );
  expect([file, args.slice(-6), env, input]).toEqual([
    'bwrap',
    ['--chdir', '/data/trees/t', '--', 'npm', '--', 'test'],
    { ...ENV, TMPDIR: '/tmp' },
    null,
  ]);
});

describe('under an account', () => {
  const own = fence({ confinement: 'account', account: agent, scratch: '/tmp/h' });

  test('root sets the user, and HOME is the empty folder', () => {
    expect(invocation(own, ['npm', 'test'], ENV, true, 'hub_1:att_1')).toEqual({
      file: 'npm',
      args: ['test'],
      uid: 990,
      gid: 980,
      env: {
        PATH: '/usr/bin',
        HOME: '/tmp/h',
        USER: 'agent',
        LOGNAME: 'agent',
        TMPDIR: '/tmp',
        TOKEN: "it's secret",
      },
      input: null,
    });
  });

  test('sudo gets environment and command on its input, so that no secret stands on a command line', () => {
    const { file, args, input } = invocation(own, ['npm', "it's"], ENV, false, 'hub_1:att_1');
    expect([file, args]).toEqual(['sudo', ['-n', '-u', 'agent', '--', 'sh', '-s']]);
    expect(input?.split('\n')).toEqual([
      "export PATH='/usr/bin'",
      "export HOME='/tmp/h'",
      "export USER='agent'",
      `export TOKEN='it'\\''s secret'`,
      "export LOGNAME='agent'",
      "export TMPDIR='/tmp'",
      "export SIGNALBOX_OWNER='hub_1:att_1'",
      "cd '/data/trees/t' || exit 126",
      `exec 'npm' 'it'\\''s' </dev/null`,
      '',
    ]);
  });
});

test('a shell command is one string for sh, any other is a list of words', () => {
  const request: CommandRequest = {
    purpose: 'test',
    project: 'shop',
    tree: '/t',
    command: ['npm test && echo ok'],
    shell: true,
    timeout: seconds(1),
    allowNetwork: false,
    sandboxRead: [],
    environmentNames: [],
    account: null,
    allowUnconfined: false,
    ownerMark: 'hub_1:att_1',
    started: () => undefined,
  };
  expect(commandWords(request)).toEqual(['/bin/sh', '-c', 'npm test && echo ok']);
  expect(commandWords({ ...request, shell: false })).toEqual(['npm test && echo ok']);
});

test.each([
  ['/home/ada/.nvm/versions/node/v24/bin/node', '/home/ada/.nvm'],
  ['/home/ada/.local/share/pipx/venvs/x/bin/x', '/home/ada/.local/share/pipx'],
  ['/home/ada/bin/x', '/home/ada/bin'],
  ['/opt/x/bin/y', '/opt/x/bin'],
])('%s is mended by reading %s', (executable, read) => {
  expect(suggestRead(executable, '/home/ada')).toBe(read);
});

test('a stub of a version manager needs the folder of the manager', () => {
  const stub = '/home/ada/.pyenv/shims/python3';
  expect([
    missingForStub(stub, '/home/ada', () => false),
    missingForStub(stub, '/home/ada', () => true),
    missingForStub('/usr/bin/python3', '/home/ada', () => false),
  ]).toEqual(['/home/ada/.pyenv', null, null]);
});
