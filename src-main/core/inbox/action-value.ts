import { AppError } from '../../../src-shared/errors.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { checkedRaise } from './raise-cap.ts';

/**
 * The value that a person gave with an action of a review or manual item.
 *
 * @returns the value as it is stored; null for an action that takes none
 * @throws AppError 'usage' when it is none that the action can use, or the action takes no value
 */
export function checkedValue(
  deps: Pick<CoreDeps, 'stores' | 'clock'>,
  item: Item,
  action: string,
  value: string | null,
): string | null {
  const known = item.actions.find((each) => each.name === action);
  if (known?.value === undefined && value !== null) {
    throw new AppError('usage', `Action "${action}" of item #${item.number} takes no --value.`, {
      hint: `signalbox resolve ${item.number} --action ${action}`,
    });
  }
  switch (action) {
    case 'more-questions':
      return checkedCount(item, value ?? '3');
    case 'raise-cap':
      return checkedRaise(deps, item, value);
    case 'answer':
      if (value === null || value.trim() === '') {
        throw new AppError('answer-empty', 'Answering by hand needs --value with the text.', {
          hint: `signalbox resolve ${item.number} --action answer --value "…"`,
        });
      }
      return value;
    default:
      return value;
  }
}

const MOST_MORE = 100;

function checkedCount(item: Item, value: string): string {
  const count = Number(value);
  if (!/^\d+$/.test(value.trim()) || count < 1 || count > MOST_MORE) {
    throw new AppError('usage', `--value for more-questions is a whole number from 1 to ${MOST_MORE}.`, {
      hint: `signalbox resolve ${item.number} --action more-questions --value 3`,
    });
  }
  return String(count);
}
