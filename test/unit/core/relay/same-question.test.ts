import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameQuestion } from '../../../../src-main/core/relay/same-question.ts';

test('the same words are the same question, whatever stands around them', () => {
  expect(
    isSameQuestion(
      '  **Round** to 2 places,\nor to the nearest rupee ?',
      'Round to 2 places, or to the nearest rupee?',
    ),
  ).toBe(true);
});

test('questions that differ in a number or a word are different questions', () => {
  expect([
    isSameQuestion('Round to 2 places?', 'Round to 3 places?'),
    isSameQuestion('Round amounts?', 'Round totals?'),
    isSameQuestion('राशि को पूर्णांक करें?', 'राशि को पूर्ण करें?'),
  ]).toEqual([false, false, false]);
});

test('questions without a single word are compared as they stand', () => {
  expect([isSameQuestion('??', ' ?? '), isSameQuestion('??', '!!')]).toEqual([true, false]);
});

test('case, spacing and punctuation never make two questions of one', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const gap = fc.constantFrom(' ', '  ', '\n', ', ', ' - ', '… ');
  fc.assert(
    fc.property(fc.array(fc.tuple(word, gap, fc.boolean()), { minLength: 1 }), (parts) => {
      const plain = parts.map(([text]) => text).join(' ');
      const dressed = parts.map(([text, sep, upper]) => (upper ? text.toUpperCase() : text) + sep).join('');
      expect(isSameQuestion(plain, dressed)).toBe(true);
    }),
  );
});
