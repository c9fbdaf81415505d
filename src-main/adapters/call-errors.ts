import { AppError, isAppError, isErrorCode } from '../../src-shared/errors.ts';

/** By name, so that a command which makes no call does not load the client. */
const isCallError = (error: unknown): error is Error & { readonly data?: unknown } =>
  error instanceof Error && error.name === 'TRPCClientError';

/** What the router's error formatter puts beside tRPC's own fields. */
function wireOf(data: unknown): { code: string; message: string; hint: string | undefined } | null {
  const { wire } = (data ?? {}) as { wire?: unknown };
  const { code, message, hint } = (wire ?? {}) as Record<string, unknown>;
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  return { code, message, hint: typeof hint === 'string' ? hint : undefined };
}

/** The error of a call as the one that the router, the connection or a command threw. Others come back as they are. */
export function callError(error: unknown): unknown {
  if (isAppError(error) || !isCallError(error)) return error;
  const wire = wireOf(error.data);
  if (wire !== null) {
    // A newer hub may have codes that this command does not know yet.
    const code = isErrorCode(wire.code) ? wire.code : 'internal';
    return new AppError(code, wire.message, { hint: wire.hint, cause: error });
  }
  const { cause } = error;
  if (isAppError(cause)) return cause;
  return new AppError('hub-lost', 'The hub ended while it did this; whether it was done is not certain.', {
    hint: 'Look before you try again: signalbox inbox, signalbox task list.',
    cause: error,
  });
}
