import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { AppError, INTERNAL, isAppError, toWireError, type WireError } from '../../src-shared/errors.ts';
import { plainIssue } from '../../src-shared/plain-issue.ts';

/** One line: which field, what is wrong with it. */
export function usageFromZod(error: ZodError): AppError {
  const [first] = error.issues;
  const others = error.issues.length - 1;
  const more = others > 0 ? ` (and ${others} more)` : '';
  const problem = first === undefined ? 'The input is not valid.' : plainIssue(first);
  return new AppError('usage', problem.replace(/\.$/, `${more}.`), {
    hint: 'The command with --help says what it takes.',
    cause: error,
  });
}

/** What a call that failed tells its caller, whatever was thrown in it. */
export function wireErrorOf(error: unknown): WireError {
  if (isAppError(error)) return toWireError(error);
  if (!(error instanceof TRPCError)) return INTERNAL;
  if (isAppError(error.cause)) return toWireError(error.cause);
  if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) {
    return toWireError(usageFromZod(error.cause));
  }
  switch (error.code) {
    case 'BAD_REQUEST':
    case 'PARSE_ERROR':
    case 'UNSUPPORTED_MEDIA_TYPE':
      return { code: 'usage', message: 'The call could not be read.' };
    case 'NOT_FOUND':
    case 'METHOD_NOT_SUPPORTED':
      return {
        code: 'usage',
        message: 'The hub does not know this call.',
        hint: 'It may be of another version: signalbox hub stop, then signalbox hub.',
      };
    case 'PAYLOAD_TOO_LARGE':
      return { code: 'usage', message: 'The call is too large.' };
    default:
      return INTERNAL;
  }
}
