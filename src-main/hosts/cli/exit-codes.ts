import { ERROR_CLASS, type ErrorClass, type ErrorCode } from '../../../src-shared/errors.ts';

/** Every exit code of every command (15-cli). */
export const EXIT = {
  yes: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  timeout: 4,
  no: 5,
} as const;

const OF_CLASS: Readonly<Record<ErrorClass, number>> = {
  failed: EXIT.failed,
  usage: EXIT.usage,
  refused: EXIT.refused,
  timeout: EXIT.timeout,
  no: EXIT.no,
};

export const exitCodeOf = (code: ErrorCode): number => OF_CLASS[ERROR_CLASS[code]];
