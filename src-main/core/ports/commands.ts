import type { Millis } from '../../../src-shared/time.ts';

/** Which fence a command ran behind; goes into the ledger. */
export type Confinement = 'bubblewrap' | 'sandbox-exec' | 'account' | 'none';

/** A test or set-up command in a task's tree (12-engine, Test runs). */
export interface CommandRequest {
  readonly purpose: 'test' | 'setup';
  /** Name of the project, for a hint that can be typed as it stands. */
  readonly project: string;
  readonly tree: string;
  /** The person's checkout and what the project shares from it, for the hint about a program that is only there. */
  readonly checkout?: { readonly root: string; readonly share: readonly string[] };
  readonly command: readonly string[];
  readonly shell: boolean;
  readonly timeout: Millis;
  readonly allowNetwork: boolean;
  readonly sandboxRead: readonly string[];
  readonly environmentNames: readonly string[];
  /** Operating-system account, or null for the person's own. */
  readonly account: string | null;
  readonly allowUnconfined: boolean;
  readonly ownerMark: string;
  /** Called once the process runs, before it can have had an effect that needs the record. */
  readonly started: (process: { readonly pid: number; readonly processStart: string | null }) => void;
}

export type CommandOutcome =
  | {
      readonly kind: 'exited';
      readonly exitCode: number | null;
      readonly signal: string | null;
      readonly durationMs: number;
      readonly confinement: Confinement;
      /** Hash of the whole output among the artifacts. */
      readonly outputHash: string;
      readonly outputBytes: number;
      /** Last part of the output, at most 8 KiB, whole lines where possible. Untrusted text. */
      readonly tail: string;
    }
  | {
      readonly kind: 'timed-out';
      readonly durationMs: number;
      readonly confinement: Confinement;
      readonly outputHash: string;
      readonly outputBytes: number;
      readonly tail: string;
    }
  | { readonly kind: 'stopped' }
  /** It could not be run as asked: says what to change. Nothing was executed. */
  | {
      readonly kind: 'refused';
      readonly code:
        'sandbox-unavailable' | 'account-unusable' | 'executable-not-found' | 'executable-differs';
      readonly message: string;
      readonly hint: string;
    };

export interface RunningCommand {
  readonly outcome: Promise<CommandOutcome>;
  stop(): Promise<void>;
}

export interface CommandRunner {
  start(request: CommandRequest): RunningCommand;
  /** What confinement this machine offers now, and why not, for `doctor` and preflight. */
  confinement(): Promise<{ readonly kind: Confinement; readonly problem: string | null }>;
  /** Null when the account can be used (dedicated, reapable); else what is wrong, with the fix. */
  checkAccount(name: string): Promise<string | null>;
  /** Ends every process of the account and verifies it; false when some live on. */
  reapAccount(name: string): Promise<boolean>;
  /** Takes back grants that a crash left on the trees, at start. */
  revokeGrants(trees: readonly string[], account: string): Promise<void>;
}
