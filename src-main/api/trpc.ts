import { initTRPC, TRPCError, type TRPCDefaultErrorShape } from '@trpc/server';
import { AppError, isAppError } from '../../src-shared/errors.ts';
import type { ApiContext } from './context.ts';
import { wireErrorOf } from './errors.ts';

/** An error as every channel tells it: our code and words beside tRPC's, never a text of something unknown. */
export function formatError({
  shape,
  error,
}: {
  readonly shape: TRPCDefaultErrorShape;
  readonly error: TRPCError;
}) {
  const wire = wireErrorOf(error);
  return {
    ...shape,
    message: wire.message,
    data: { code: shape.data.code, httpStatus: shape.data.httpStatus, wire },
  };
}

const t = initTRPC.context<ApiContext>().create({ isDev: false, errorFormatter: formatError });

/** An error without a code of ours is a bug or the world's doing: the log gets its text, the caller does not. */
const logged = t.middleware(async ({ ctx, path, next }) => {
  const result = await next();
  if (!result.ok && result.error.code === 'INTERNAL_SERVER_ERROR' && !isAppError(result.error.cause)) {
    const { cause } = result.error;
    ctx.log.error('call failed', { path, error: cause?.stack ?? String(cause ?? result.error.message) });
  }
  return result;
});

const deciders = t.middleware(({ ctx, next }) => {
  if (ctx.isAgent) {
    throw new TRPCError({
      code: 'FORBIDDEN',
      cause: new AppError('agent-may-not-decide', 'An agent may not decide this.', {
        hint: 'A person does it, from a terminal that Signalbox did not start.',
      }),
    });
  }
  return next();
});

export const router = t.router;
/** For everyone who may speak on the channel. */
export const procedure = t.procedure.use(logged);
/** What only a person may do: answers, approvals, settings, caps, releases (12-engine, Who is the hub). */
export const decision = procedure.use(deciders);
