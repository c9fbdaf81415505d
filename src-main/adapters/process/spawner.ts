/**
 * What the other adapters see of process starting. Everything that Signalbox runs (the agent, git, tests,
 * `--version`) goes through a `Spawner`, so that no process is without an owner mark, a guardian and an end.
 *
 * A child is started directly (never through a shell), in its own session and process group, with pipes, and
 * with `SIGNALBOX_OWNER=<mark>` added to exactly the environment that the caller passes: nothing is inherited.
 */
import type { Readable } from 'node:stream';
import type { EndReceipt } from '../../core/ports/world.ts';
import type { Millis } from '../../../src-shared/time.ts';

interface CommonSpec {
  /** Absolute path, or a name that is looked up in `env.PATH`. */
  readonly file: string;
  readonly args: readonly string[];
  /** Absolute folder; a missing one is a `SpawnFailure`, not a start somewhere else. */
  readonly cwd: string;
  /** The child's whole environment (see `adapters/environment.ts`). `SIGNALBOX_OWNER` is set by the spawner. */
  readonly env: Readonly<Record<string, string>>;
  /** Value of `ownerMark()`: `<hub id>:<attempt id or other word>`. */
  readonly mark: string;
  /** Operating-system account of the child (POSIX, needs root); absent means the hub's own. */
  readonly uid?: number;
  readonly gid?: number;
}

/** A child that lives longer and is talked to: the agent, a test command. */
export interface OwnedSpec extends CommonSpec {
  /** `ignore` gives the child an empty input that is at its end. */
  readonly stdin: 'pipe' | 'ignore';
}

/** A short command whose output is collected: git, `--version`, a check of `doctor`. */
export interface CommandSpec extends CommonSpec {
  /** Written to its input, which is then ended; absent means an empty input. */
  readonly input?: string | Uint8Array;
  /** After this the tree is ended and the outcome is `timed-out`. */
  readonly timeout: Millis;
  /** Most bytes kept of stdout and of stderr, each. More than this ends the tree: `too-much-output`. */
  readonly maxBytes: number;
  /** Ends the tree when aborted; the outcome is `stopped`. */
  readonly signal?: AbortSignal;
}

/** Why nothing was started. An ordinary outcome, never thrown. */
export interface SpawnFailure {
  readonly kind: 'not-started';
  readonly code: 'executable-not-found' | 'spawn-failed' | 'guardian-unavailable' | 'killed';
  /** A sentence for the log and for `hint`s; holds the file's name, never arguments or environment. */
  readonly message: string;
}

/**
 * How a write to a child's input went. `refused`: the pipe was gone before a byte of this text was taken.
 * `broken`: it went while some of it may have been taken already.
 */
export type WriteOutcome = 'written' | 'refused' | 'broken';

export interface ChildInput {
  /** Resolves when the system has taken the whole text (backpressure). Never rejects. */
  write(text: string | Uint8Array): Promise<WriteOutcome>;
  /** Ends the input. May be called twice, and after the child is gone. */
  end(): void;
}

export interface ChildEnding {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What the child had left behind and was ended after it, by group, descent and mark. */
  readonly leftovers: EndReceipt;
}

/** A started child with everything that it may start. */
export interface OwnedChild {
  readonly kind: 'started';
  readonly pid: number;
  /** Opaque; with the pid it names this process for ever. Null when the system does not tell. */
  readonly processStart: string | null;
  readonly mark: string;
  /** Null for `stdin: 'ignore'`. */
  readonly stdin: ChildInput | null;
  /** Raw bytes. Both must be read (or `resume()`d), else `closed` waits for the reader. They never emit 'error'. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Resolves when the child has exited, its pipes are read to the end and nothing of its tree is left. A process
   * that escaped and holds a pipe open delays it by a bounded time only. Never rejects.
   */
  readonly closed: Promise<ChildEnding>;
  /** SIGTERM to the whole tree, the grace (default 700 ms), SIGKILL. May be called twice. Never throws. */
  stop(grace?: Millis): Promise<EndReceipt>;
}

export type Finished =
  | SpawnFailure
  | {
      /** `exited` also when the exit code is not 0. */
      readonly kind: 'exited' | 'timed-out' | 'too-much-output' | 'stopped';
      readonly exitCode: number | null;
      readonly signal: string | null;
      /** At most `maxBytes`. */
      readonly stdout: Buffer;
      readonly stderr: Buffer;
      readonly durationMs: number;
    };

export interface Spawner {
  startOwned(spec: OwnedSpec): Promise<OwnedChild | SpawnFailure>;
  run(spec: CommandSpec): Promise<Finished>;
}
