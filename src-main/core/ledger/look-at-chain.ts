import type { LedgerStore } from '../ports/ledger-store.ts';

/**
 * Looks for a fault in the chain and writes nothing: first what came since the last verification, then all of it, as
 * far as it gets. For whoever was not asked to verify, so it has its time and no more.
 *
 * @param isOver asked after every slice of some milliseconds
 * @returns `seq` of the first entry that does not verify; null when none was found in that time
 */
export function* lookAtChain(
  ledger: Pick<LedgerStore<string>, 'verifySteps'>,
  isOver: () => boolean,
): Generator<void, number | null> {
  for (const full of [false, true]) {
    const steps = ledger.verifySteps({ full, isNoted: false });
    for (;;) {
      const step = steps.next();
      if (step.done === true) {
        if (step.value.brokenAt !== null) return step.value.brokenAt;
        // It began at the first entry already.
        if (step.value.checkedFrom === 1) return null;
        break;
      }
      if (isOver()) return null;
      yield;
    }
  }
  return null;
}

/** What is said of a chain that does not verify. */
export const brokenChain = (seq: number) => ({
  message: `The ledger was changed behind Signalbox: its chain breaks at entry ${seq}.`,
  hint: 'See how far it holds: signalbox ledger verify --full',
});
