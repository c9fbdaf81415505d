import type { ItemCause } from '../../../src-shared/model/item.ts';

/** States of the whole hub or of a budget: dispatch stands still, nobody has to look at a piece of work. */
const HOLD_CAUSES: ReadonlySet<ItemCause> = new Set<ItemCause>([
  'login',
  'usage-limit',
  'overload',
  'billing',
  'executable',
  'disk-full',
  'calls-used-up',
  'budget-used-up',
  'spike-budget',
]);

export const isHoldCause = (cause: ItemCause | null): boolean => cause !== null && HOLD_CAUSES.has(cause);
