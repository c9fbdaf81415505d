import { AppError } from '../../../src-shared/errors.ts';
import type { Item } from '../../../src-shared/model/item.ts';

/**
 * The option that a person names by its number from 1, as every list shows it, or by its exact label.
 *
 * A number in range is always the number shown: labels may be numbers themselves, and `3` must not mean another
 * option than the one that stands beside it.
 *
 * @throws AppError 'usage' naming the range
 */
export function optionText(item: Pick<Item, 'number' | 'options'>, option: string): string {
  const numbered = /^[0-9]+$/.test(option) ? item.options[Number(option) - 1] : undefined;
  if (numbered !== undefined) return numbered;
  if (item.options.includes(option)) return option;
  const count = item.options.length;
  throw new AppError('usage', `Item #${item.number} has no option "${option}".`, {
    hint:
      count === 0
        ? `It has none; answer in your words: signalbox answer ${item.number} --text "…"`
        : `Give a number from 1 to ${count}, or the exact label.`,
  });
}
