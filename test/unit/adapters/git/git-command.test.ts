import { expect, test } from 'vitest';
import { createGit, GitFailure, heldLock } from '../../../../src-main/adapters/git/git-command.ts';
import type { CommandSpec, Finished } from '../../../../src-main/adapters/process/spawner.ts';

const exited = (exitCode: number, stderr = ''): Finished => ({
  kind: 'exited',
  exitCode,
  signal: null,
  stdout: Buffer.from('out'),
  stderr: Buffer.from(stderr),
  durationMs: 1,
});

function gitThat(answer: Finished) {
  const asked: CommandSpec[] = [];
  const git = createGit({
    spawner: { run: (spec) => (asked.push(spec), Promise.resolve(answer)) },
    hub: 'hub_1',
    inheritedEnv: {
      PATH: '/bin',
      HOME: '/home/asha',
      GITHUB_TOKEN: 'secret',
      GIT_DIR: '/elsewhere',
      SSH_AUTH_SOCK: '/s',
    },
  });
  return { git, asked };
}

const CALL = { gitDir: '/r/.git', args: ['status'], owner: 'git-tsk_1' } as const;

test('git inherits nothing but what a program needs, and is told everything else', async () => {
  const { git, asked } = gitThat(exited(0));
  await git.run({
    ...CALL,
    workTree: '/t',
    index: '/d/i',
    objects: '/r/.git/objects',
    config: ['core.eol=lf'],
  });
  const [spec] = asked;
  expect(spec).toMatchObject({ file: 'git', cwd: '/t', mark: 'hub_1:git-tsk_1' });
  expect(spec?.env).toEqual({
    PATH: '/bin',
    HOME: '/r/.git',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_COMMITTER_NAME: 'Signalbox',
    GIT_COMMITTER_EMAIL: 'signalbox@localhost',
    GIT_INDEX_FILE: '/d/i',
    GIT_OBJECT_DIRECTORY: '/r/.git/objects',
  });
  const args = spec?.args ?? [];
  for (const setting of [
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.attributesFile=/dev/null',
    'safe.bareRepository=explicit',
    'protocol.allow=never',
    'submodule.recurse=false',
    'core.eol=lf',
  ]) {
    expect(args[args.indexOf(setting) - 1]).toBe('-c');
  }
  expect(args.slice(-3)).toEqual(['--git-dir=/r/.git', '--work-tree=/t', 'status']);
});

test('an exit code that is no answer is a failure with its cause, and a held lock is known by its path', async () => {
  const said =
    "error: cannot lock ref 'refs/heads/x'\nfatal: Unable to create '/r/.git/x.lock': File exists.\n";
  const { git } = gitThat(exited(128, said));
  const error: unknown = await git.run(CALL).catch((each: unknown) => each);
  expect(error).toBeInstanceOf(GitFailure);
  expect(error).toMatchObject({
    code: 'git-failed',
    message: "git status failed: error: cannot lock ref 'refs/heads/x'",
  });
  expect(heldLock(error)).toBe('/r/.git/x.lock');
  expect(heldLock(new GitFailure('add', 1, 'fatal: other'))).toBeNull();
  expect((await git.run({ ...CALL, answers: [0, 128] })).exitCode).toBe(128);
});

test.each([
  [
    { kind: 'not-started', code: 'executable-not-found', message: 'git is not there' } as const,
    'executable-not-found',
  ],
  [{ ...exited(0), kind: 'timed-out' } as Finished, 'timeout'],
  [{ ...exited(0), kind: 'stopped' } as Finished, 'interrupted'],
  [{ ...exited(0), kind: 'too-much-output' } as Finished, 'git-failed'],
  [{ ...exited(0), exitCode: null, signal: 'SIGKILL' } as Finished, 'git-failed'],
])('an ending %o is the error %s', async (ending, code) => {
  await expect(gitThat(ending).git.run(CALL)).rejects.toMatchObject({ code });
});
