import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matching } from '../../../src-renderer/app/palette-matches.ts';

const entries = Array.from(
  { length: 1000 },
  (_unused, index) => `#${index} Round the totals of page ${index}`,
);
const words = (entry: string): string => entry;

describe('what the palette shows of many entries', () => {
  test('is the first ones while nothing is typed', () => {
    for (const typed of ['', '  ']) expect(matching(entries, typed, words)).toEqual(entries.slice(0, 50));
  });

  test('is found wherever it stands, the best match first', () => {
    expect(matching(entries, '#987', words)[0]).toBe(entries[987]);
    expect(matching(entries, 'page 999', words)[0]).toBe(entries[999]);
    expect(matching(entries, 'no such words', words)).toEqual([]);
  });

  test('is never more than can be drawn at once, and never what does not match', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), (typed) => {
        const found = matching(entries, typed, words);
        expect(found.length).toBeLessThanOrEqual(50);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});
