import { expect, test } from 'vitest';
import { shellWord, shellWords } from '../../../src-shared/shell-word.ts';

test.each([
  ['shop', 'shop'],
  ['key=1.5', 'key=1.5'],
  ['', "''"],
  ['two words', "'two words'"],
  ['#14', "'#14'"],
  ["it's", String.raw`'it'\''s'`],
  ['$(id)', "'$(id)'"],
  ['a;b', "'a;b'"],
  ['~', "'~'"],
])('the word %j is written %s', (word, written) => {
  expect(shellWord(word)).toBe(written);
});

test('words are written so that a shell reads the same words', () => {
  expect(shellWords(['npm', 'test', '--', 'a b'])).toBe("npm test -- 'a b'");
});
