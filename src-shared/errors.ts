/**
 * Every error a caller can see. The class of a code decides the exit code of the command line (15-cli) and how
 * a client reacts; codes are stable, messages are not.
 */
export type ErrorClass =
  /** It was tried and broke. */
  | 'failed'
  /** The call itself was wrong: bad flag, missing argument, unknown id, unreadable file. */
  | 'usage'
  /** Policy, a cap or the data class said no. */
  | 'refused'
  /** A time limit or an interrupt ended it. */
  | 'timeout'
  /** It ran correctly and the answer is no: a broken chain, a closed item, a stale offer. */
  | 'no';

export const ERROR_CLASS = {
  internal: 'failed',
  usage: 'usage',
  'not-found': 'usage',
  'file-unreadable': 'usage',
  'config-invalid': 'usage',
  'hub-running': 'failed',
  'hub-not-running': 'failed',
  'hub-unreachable': 'failed',
  'hub-lost': 'failed',
  'node-too-old': 'failed',
  'data-folder-unusable': 'failed',
  'store-unusable': 'failed',
  'store-too-new': 'failed',
  'disk-full': 'failed',
  'project-not-a-repository': 'usage',
  'project-has-no-commit': 'usage',
  'project-is-bare': 'usage',
  'project-is-worktree': 'usage',
  'project-already-registered': 'usage',
  'project-name-taken': 'usage',
  'project-branch-missing': 'usage',
  'project-folder-missing': 'failed',
  'project-has-open-tasks': 'refused',
  'project-not-ready': 'refused',
  'task-wrong-state': 'no',
  'task-tree-missing': 'failed',
  'item-closed': 'no',
  'item-wrong-kind': 'usage',
  'item-stale-offer': 'no',
  'item-undo-too-late': 'no',
  'answer-empty': 'usage',
  'data-class-hit': 'refused',
  'agent-may-not-decide': 'refused',
  'cap-reached': 'refused',
  'consent-missing': 'refused',
  killed: 'refused',
  'spike-running': 'refused',
  'spike-not-running': 'no',
  'account-unusable': 'refused',
  'sandbox-unavailable': 'refused',
  'executable-not-found': 'failed',
  'spawn-failed': 'failed',
  'guardian-unavailable': 'failed',
  'git-failed': 'failed',
  'git-locked': 'failed',
  'git-ref-moved': 'no',
  'tree-not-ours': 'failed',
  'restore-conflict': 'refused',
  'chain-broken': 'no',
  timeout: 'timeout',
  interrupted: 'timeout',
  'link-invalid': 'refused',
  'window-unknown': 'refused',
  'too-many-attempts': 'refused',
  'bind-refused': 'refused',
  'port-taken': 'failed',
  'web-not-running': 'failed',
} as const satisfies Record<string, ErrorClass>;

export type ErrorCode = keyof typeof ERROR_CLASS;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_CLASS, text);

/** What crosses a wire and what `--json` prints under `error`. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do or type instead. */
  readonly hint?: string;
}

export interface AppErrorOptions {
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** Fields for the log, never prompts, tokens or file contents. */
  readonly data?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A promise that could not be kept, with a stable code. Ordinary outcomes are return values instead. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.hint = options.hint;
    this.data = options.data ?? {};
  }
}

export const isAppError = (error: unknown, code?: ErrorCode): error is AppError =>
  error instanceof AppError && (code === undefined || error.code === code);

export const toWireError = (error: AppError): WireError => ({
  code: error.code,
  message: error.message,
  ...(error.hint === undefined ? {} : { hint: error.hint }),
});

/** What a caller is told of an error that has no code: its own text goes to the log only. */
export const INTERNAL: WireError = {
  code: 'internal',
  message: 'Something in Signalbox broke while it did this.',
  hint: 'The log in the data folder has the details.',
};

/** For a state that the types rule out: a bug, not a code. */
export function assertNever(value: never, what: string): never {
  throw new Error(`Unreachable ${what}: ${JSON.stringify(value)}`);
}
