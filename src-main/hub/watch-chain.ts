import { setImmediate as nextTurn } from 'node:timers/promises';
import { millis, seconds } from '../../src-shared/time.ts';
import type { ApiServices } from '../api/context.ts';
import { brokenChain, lookAtChain } from '../core/ledger/look-at-chain.ts';
import type { LedgerStore } from '../core/ports/ledger-store.ts';

/** What a look may take, all in all; a longer ledger is looked at in part, and `signalbox ledger verify` has all the time. */
export const CHAIN_PATIENCE = seconds(3);
/** What a hub that ends waits for it: enough for a ledger of thousands of entries. */
const LAST_PATIENCE = millis(300);

/** As `lookAtChain`, between the other work of this process. */
export async function brokenEntry(
  ledger: Pick<LedgerStore<string>, 'verifySteps'>,
  isOver: () => boolean,
): Promise<number | null> {
  const steps = lookAtChain(ledger, isOver);
  for (;;) {
    await nextTurn();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Looks at the chain of the ledger once the hub works, between its other work, and logs what is wrong with it. A
 * broken chain stops nothing: the entries are facts of the past.
 *
 * @param ready the look comes after it
 */
export function watchChain(
  { stores, clock, log }: Pick<ApiServices, 'stores' | 'clock' | 'log'>,
  ready: Promise<void>,
): { readonly problem: Promise<string | null>; finish(): Promise<void> } {
  let until = Number.POSITIVE_INFINITY;
  async function look(): Promise<string | null> {
    await ready;
    until = Math.min(until, clock.monotonic() + CHAIN_PATIENCE);
    const brokenAt = await brokenEntry(stores.ledger, () => clock.monotonic() >= until);
    if (brokenAt === null) return null;
    const { message, hint } = brokenChain(brokenAt);
    log.warn(message, { entry: brokenAt });
    return `${message} ${hint}`;
  }
  const problem = look().catch((error: unknown) => {
    log.warn('the chain of the ledger could not be looked at', { error: String(error) });
    return null;
  });
  return {
    problem,
    finish: async () => {
      until = Math.min(until, clock.monotonic() + LAST_PATIENCE);
      await problem;
    },
  };
}
