import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isSameQuestion,
  lostConversation,
  type ResumedTurn,
} from '../../../../src-main/core/spike/lost-conversation.ts';

const resumed = (given: Partial<ResumedTurn> = {}): ResumedTurn => ({
  expectedSession: '0b2c7f1e-0000-4000-8000-000000000001',
  reportedSession: '0b2c7f1e-0000-4000-8000-000000000001',
  traceBefore: 'present',
  hadResult: true,
  question: null,
  answeredQuestions: [],
  ...given,
});

test('a resume that answers in its session has lost nothing', () => {
  expect(
    lostConversation(resumed({ question: 'To the nearest rupee?', answeredQuestions: ['Which file?'] })),
  ).toBe(null);
});

test('another session id is a lost conversation, letter case is not', () => {
  expect([
    lostConversation(resumed({ reportedSession: '0b2c7f1e-0000-4000-8000-000000000002' })),
    lostConversation(resumed({ reportedSession: '0B2C7F1E-0000-4000-8000-000000000001' })),
    lostConversation(resumed({ reportedSession: null })),
  ]).toEqual(['another-session', null, null]);
});

test('a missing transcript counts only where there must have been one', () => {
  expect([
    lostConversation(resumed({ traceBefore: 'no-session' })),
    lostConversation(resumed({ traceBefore: 'no-session', hadResult: false })),
    lostConversation(resumed({ traceBefore: 'unreadable' })),
    lostConversation(resumed({ traceBefore: null })),
  ]).toEqual(['no-transcript', null, null, null]);
});

test('the same question after its answer was delivered is a lost conversation, whatever its dress', () => {
  const turn = resumed({
    question: '  **Round** to 2 places,\nor to the nearest rupee ?',
    answeredQuestions: ['Which file?', 'Round to 2 places, or to the nearest rupee?'],
  });
  expect(lostConversation(turn)).toBe('asked-again');
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
