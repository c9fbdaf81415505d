import { describe, expect, test } from 'vitest';
import { conflictHunks } from '../../../../src-main/core/workspace/conflict-hunks.ts';

const conflict = (ours: string, theirs: string): string =>
  ['<<<<<<< base', ours, '=======', theirs, '>>>>>>> work'].join('\n');
const find = (files: Parameters<typeof conflictHunks>[0]) =>
  conflictHunks(files, '<<<<<<< base', '>>>>>>> work');

describe('places of a conflict', () => {
  test('are shown with path and line, each on its own', () => {
    const text = ['first', conflict('a', 'b'), 'between', conflict('c', 'd'), ''].join('\n');
    expect(find([{ path: 'a.txt', text }])).toEqual({
      hunks: [`a.txt, line 2:\n${conflict('a', 'b')}`, `a.txt, line 8:\n${conflict('c', 'd')}`],
      leftOut: 0,
    });
  });

  test('are not taken from marks of something else, or from one that has no end', () => {
    const other = conflict('a', 'b').replaceAll('base', 'main');
    expect(find([{ path: 'a.txt', text: `${other}\n<<<<<<< base\nno end\n` }])).toEqual({
      hunks: [],
      leftOut: 0,
    });
  });

  test('stay small: a long one is cut and many are counted', () => {
    const long = Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n');
    const files = Array.from({ length: 30 }, (_, at) => ({ path: `${at}.txt`, text: conflict(long, 'b') }));
    const { hunks, leftOut } = find(files);
    expect(hunks.join('\n').length).toBeLessThan(6100);
    expect(hunks[0]).toMatch(/… \d+ more lines$/);
    expect(hunks.length).toBeGreaterThan(0);
    expect(hunks.length + leftOut).toBe(30);
  });

  test('with one line as long as a book leave room for the rest of the prompt', () => {
    const { hunks, leftOut } = find([{ path: 'a.txt', text: conflict('x'.repeat(100_000), 'b') }]);
    expect({ hunks, leftOut }).toEqual({ hunks: [], leftOut: 1 });
  });
});
