import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '../../api/router.ts';

/**
 * Lets only reading calls through.
 *
 * @param error what a call that would change something fails with: why nothing can be written
 * @param reads called once, when something is read
 */
export function onlyReads(error: Error, reads: () => void): TRPCLink<AppRouter> {
  let isTold = false;
  return () =>
    ({ op, next }) => {
      if (op.type === 'mutation') {
        return observable((observer) => {
          observer.error(TRPCClientError.from(error));
        });
      }
      if (!isTold) reads();
      isTold = true;
      return next(op);
    };
}
