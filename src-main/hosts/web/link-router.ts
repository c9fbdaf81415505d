import { initTRPC, TRPCError } from '@trpc/server';
import { LinkView } from '../../../src-shared/api/web.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { Caller } from '../../adapters/local-socket/caller.ts';
import { formatError } from '../../api/trpc.ts';

export interface LinkContext {
  readonly caller: Caller;
  readonly makeLink: () => LinkView;
}

const t = initTRPC.context<LinkContext>().create({ isDev: false, errorFormatter: formatError });

/** What a web host answers on its own socket, which only this user may open. */
export const linkRouter = t.router({
  /** A link lets its bearer decide, so no agent gets one. */
  link: t.procedure.output(LinkView).mutation(({ ctx }) => {
    if (ctx.caller.isAgent) {
      throw new TRPCError({
        code: 'FORBIDDEN',
        cause: new AppError('agent-may-not-decide', 'An agent may not open the window.', {
          hint: 'A person does it, from a terminal that Signalbox did not start.',
        }),
      });
    }
    return ctx.makeLink();
  }),
});
export type LinkRouter = typeof linkRouter;
