import { describe, expect, test } from 'vitest';
import { optionText } from '../../../src-main/core/inbox/option-text.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';

const itemWith = (...options: string[]) => ({ number: 7 as ItemNumber, options });

describe('the option that a person names', () => {
  test('is the one whose number is shown, also where another label is that number', () => {
    const item = itemWith('4', '3', '2');
    expect(['1', '2', '3'].map((option) => optionText(item, option))).toEqual(['4', '3', '2']);
  });

  test('is the exact label where no option has that number', () => {
    expect(optionText(itemWith('4', '3', '2'), '4')).toBe('4');
    expect(optionText(itemWith('yes', 'no'), 'no')).toBe('no');
    expect(optionText(itemWith('0', '10'), '0')).toBe('0');
  });

  test.each(['0', '3', 'maybe', ''])('is refused with the range when nothing is meant by "%s"', (option) => {
    expect(() => optionText(itemWith('yes', 'no'), option)).toThrow(/has no option/);
  });
});
