import { isTRPCClientError } from '@trpc/client';
import { z } from 'zod';
import { AppError, isAppError, isErrorCode } from '../../../src-shared/errors.ts';

const Wire = z.object({ code: z.string(), message: z.string(), hint: z.string().optional() });

/** The error of a call as the one that the router, the connection or a command threw. Others come back as they are. */
export function callError(error: unknown): unknown {
  if (isAppError(error) || !isTRPCClientError(error)) return error;
  const data = error.data as { readonly wire?: unknown } | null | undefined;
  const wire = Wire.safeParse(data?.wire);
  if (wire.success) {
    const { code, message, hint } = wire.data;
    // A newer hub may have codes that this command does not know yet.
    return new AppError(isErrorCode(code) ? code : 'internal', message, { hint, cause: error });
  }
  const { cause } = error;
  if (isAppError(cause)) return cause;
  return new AppError('hub-lost', 'The hub ended while it did this; whether it was done is not certain.', {
    hint: 'Look before you try again: signalbox inbox, signalbox task list.',
    cause: error,
  });
}
