import { devNull } from 'node:os';
import { AppError } from '../../../src-shared/errors.ts';
import { millis, minutes, type Millis } from '../../../src-shared/time.ts';
import type { Spawner } from '../process/spawner.ts';

/** One call of git. Everything that git would otherwise find out by itself is named. */
export interface GitCall {
  readonly gitDir: string;
  /** Also the folder git runs in. Without it git runs in its own folder and sees no files. */
  readonly workTree?: string;
  readonly index?: string;
  readonly objects?: string;
  /** `key=value`, after and so above the fixed ones. */
  readonly config?: readonly string[];
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  /** Exit codes that are an answer; by default only 0. */
  readonly answers?: readonly number[];
  readonly timeout?: Millis;
  readonly maxBytes?: number;
  /** Word behind the hub's id in the owner mark. */
  readonly owner: string;
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly text: string;
}

/** Git said no. `stderr` decides what that means; it is never shown as it is. */
export class GitFailure extends AppError {
  readonly exitCode: number | null;
  readonly stderr: string;

  constructor(command: string, exitCode: number | null, stderr: string) {
    const lines = stderr.split('\n').filter((line) => line.trim() !== '');
    const said =
      lines.find((line) => /^(fatal|error): /.test(line)) ??
      lines[0] ??
      (exitCode === null ? 'it was ended by a signal' : `exit code ${exitCode}`);
    super('git-failed', `git ${command} failed: ${said.slice(0, 300)}`, {
      data: { command, exitCode: exitCode ?? -1 },
    });
    this.name = 'GitFailure';
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

export interface Git {
  run(call: GitCall): Promise<GitAnswer>;
}

const DEFAULT_TIMEOUT = minutes(10);
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

/**
 * Switches off everything by which a repository could make git run a program or reach beyond itself (10-relay,
 * 12-engine Git; meanings: git-config(1), git(1) of 2.39). What is not a switch is done by the workbench, in which
 * the repository's configuration does not exist.
 */
const FIXED_CONFIG: readonly string[] = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  `core.attributesFile=${devNull}`,
  'core.quotePath=false',
  'core.trustctime=true',
  'core.checkStat=default',
  'core.protectNTFS=true',
  'core.protectHFS=true',
  'core.sparseCheckout=false',
  'core.safecrlf=false',
  'core.askPass=',
  'core.sshCommand=false',
  'credential.helper=',
  'protocol.allow=never',
  'protocol.file.allow=user',
  'safe.bareRepository=explicit',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'worktree.guessRemote=false',
  'worktree.useRelativePaths=false',
];

const FIXED_ENV: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_LFS_SKIP_SMUDGE: '1',
  GIT_COMMITTER_NAME: 'Signalbox',
  GIT_COMMITTER_EMAIL: 'signalbox@localhost',
  LC_ALL: 'C',
};

/** What a program needs to start at all; nothing that carries a secret. */
const INHERITED = [
  'PATH',
  'TMPDIR',
  'SystemRoot',
  'SYSTEMROOT',
  'windir',
  'TEMP',
  'TMP',
  'PATHEXT',
  'COMSPEC',
] as const;

export const basicEnvironment = (
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string> => {
  const env: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = inherited[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
};

export interface GitOptions {
  readonly spawner: Pick<Spawner, 'run'>;
  readonly hub: string;
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
}

/** Runs git through the process adapter, with nothing inherited and nothing discovered. */
export function createGit(options: GitOptions): Git {
  const basic = { ...basicEnvironment(options.inheritedEnv), ...FIXED_ENV };
  return {
    async run(call) {
      const config = [...FIXED_CONFIG, ...(call.config ?? [])].flatMap((entry) => ['-c', entry]);
      const finished = await options.spawner.run({
        file: 'git',
        args: [
          '--no-pager',
          ...config,
          `--git-dir=${call.gitDir}`,
          ...(call.workTree === undefined ? [] : [`--work-tree=${call.workTree}`]),
          ...call.args,
        ],
        cwd: call.workTree ?? call.gitDir,
        env: {
          ...basic,
          // Nothing is read from there; git only refuses to start some commands without one.
          HOME: call.gitDir,
          ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
          ...(call.objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: call.objects }),
          ...call.env,
        },
        mark: `${options.hub}:${call.owner}`,
        timeout: call.timeout ?? DEFAULT_TIMEOUT,
        maxBytes: call.maxBytes ?? DEFAULT_MAX_BYTES,
        ...(call.input === undefined ? {} : { input: call.input }),
      });
      return answerOf(call, finished);
    },
  };
}

function answerOf(call: GitCall, finished: Awaited<ReturnType<Spawner['run']>>): GitAnswer {
  const command = call.args[0] ?? '';
  switch (finished.kind) {
    case 'not-started':
      throw new AppError(finished.code, finished.message, {
        ...(finished.code === 'executable-not-found'
          ? { hint: 'Install git and make sure that it is on PATH.' }
          : {}),
      });
    case 'timed-out':
      throw new AppError('timeout', `git ${command} did not end in time.`);
    case 'stopped':
      throw new AppError('interrupted', `git ${command} was stopped.`);
    case 'too-much-output':
      throw new AppError('git-failed', `git ${command} gave more output than fits.`, {
        data: { command, tooMuchOutput: true },
      });
    case 'exited': {
      if (finished.exitCode === null || !(call.answers ?? [0]).includes(finished.exitCode)) {
        throw new GitFailure(command, finished.exitCode, finished.stderr.toString('utf8'));
      }
      return {
        exitCode: finished.exitCode,
        stdout: finished.stdout,
        get text() {
          return finished.stdout.toString('utf8');
        },
      };
    }
  }
}

/** Path of the lock file that somebody else holds, when that is why git failed; else null. */
export function heldLock(error: unknown): string | null {
  if (!(error instanceof GitFailure)) return null;
  return /Unable to create '(.+\.lock)': File exists/.exec(error.stderr)?.[1] ?? null;
}

/** Splits the answer of a `-z` command. */
export const fields = (text: string): readonly string[] => {
  const parts = text.split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
};

/** How long a lock of another program is waited for before it becomes an item. */
export const LOCK_PATIENCE = millis(20_000);
