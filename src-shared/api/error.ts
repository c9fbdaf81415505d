import { z } from 'zod';
import { ERROR_CLASS, type ErrorCode } from '../errors.ts';

const CODES = Object.keys(ERROR_CLASS) as [ErrorCode, ...ErrorCode[]];

/** What `--json` prints when a command did not do what was asked. */
export const ErrorView = z.object({
  error: z.object({
    /** Stable; its class decides the exit code. */
    code: z.enum(CODES),
    message: z.string(),
    /** What to do or type instead. */
    hint: z.string().optional(),
  }),
});
export type ErrorView = z.infer<typeof ErrorView>;
