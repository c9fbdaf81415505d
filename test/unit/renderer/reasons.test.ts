import i18next from 'i18next';
import { describe, expect, test } from 'vitest';
import { endedWords, failureWords, KILLED_REASON } from '../../../src-renderer/components/reasons.ts';
import { de } from '../../../src-renderer/i18n/de.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import { KILLED_REASON as OF_THE_SWITCH } from '../../../src-main/core/switches/switch-keys.ts';
import { ItemCause } from '../../../src-shared/model/item.ts';
import { FAILURE_CATEGORIES } from '../../../src-shared/model/turn-failure.ts';

async function words(language: 'en' | 'de') {
  const i18n = i18next.createInstance();
  await i18n.init({ lng: language, resources: { en, de }, interpolation: { escapeValue: false } });
  return {
    failure: (outcome: string) => failureWords(i18n.getFixedT(language, 'reasons'), outcome),
    ended: (reason: string) => endedWords(i18n.getFixedT(language, ['reasons', 'inbox']), reason),
  };
}

describe.each(['en', 'de'] as const)('why a turn failed and a task stopped, in %s', (language) => {
  test('is said in words, never by the code that programs compare', async () => {
    const { failure, ended } = await words(language);
    const failed = language === 'en' ? /^Failed: [A-Za-z]/ : /^Gescheitert: [A-Za-z]/;
    for (const category of FAILURE_CATEGORIES) {
      expect(failure(category)).toMatch(failed);
      if (category.includes('-')) expect(failure(category)).not.toContain(category);
    }
    for (const code of [...FAILURE_CATEGORIES, ...ItemCause.options, KILLED_REASON])
      expect(ended(code), code).not.toBe(code);
  });

  test('of a turn that did not fail is nothing', async () => {
    const { failure } = await words(language);
    for (const outcome of ['done', 'question', 'interrupted', 'lost', 'toString'])
      expect(failure(outcome)).toBeNull();
  });

  test('that is a sentence of a person or of a newer hub stays as it is', async () => {
    const { ended } = await words(language);
    for (const reason of ['cancelled by asha', 'toString', 'a: b. c']) expect(ended(reason)).toBe(reason);
  });
});

test('the reason of what the kill switch stopped is the one that the switch stores', () => {
  expect(KILLED_REASON).toBe(OF_THE_SWITCH);
});
