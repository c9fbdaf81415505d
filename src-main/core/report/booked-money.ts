import type { Turn } from '../../../src-shared/model/task.ts';
import { addMoney, type MicroUsd } from '../../../src-shared/money.ts';

/** What turns cost, one meaning for every view: `assumedMicroUsd` is the part of `costMicroUsd` that no result reported. */
export interface BookedMoney {
  readonly costMicroUsd: MicroUsd;
  readonly assumedMicroUsd: MicroUsd;
}

/** The booked cost of some turns, reported and assumed together, as it counts against budgets. */
export function bookedMoney(turns: readonly Pick<Turn, 'costBasis' | 'costMicroUsd'>[]): BookedMoney {
  const sum = (some: typeof turns): MicroUsd => addMoney(...some.map((turn) => turn.costMicroUsd));
  return {
    costMicroUsd: sum(turns),
    assumedMicroUsd: sum(turns.filter((turn) => turn.costBasis === 'assumed')),
  };
}
