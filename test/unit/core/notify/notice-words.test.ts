import { describe, expect, test } from 'vitest';
import type { ItemView } from '../../../../src-shared/api/item.ts';
import {
  bundleText,
  finishedText,
  itemText,
  killText,
  type NoticeText,
} from '../../../../src-main/core/notify/notice-text.ts';
import { offerFor } from '../../../../src-main/core/notify/offers.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../../../src-main/core/notify/preferences.ts';
import {
  localeOfEnvironment,
  NOTICE_WORDS,
  writingOf,
  type NoticeLanguage,
  type Writing,
} from '../../../../src-main/core/notify/words.ts';
import { anItem } from './items.ts';
import { notifyWorld } from './notify-world.ts';

const WRITINGS: Readonly<Record<NoticeLanguage, Writing>> = {
  en: { language: 'en', locale: 'en-GB', timeZone: 'UTC' },
  de: { language: 'de', locale: 'de-DE', timeZone: 'UTC' },
};
const GOES_ON = '2026-03-02T16:00:00.000Z';
const offer: NonNullable<ItemView['offer']> = {
  baseCommit: 'b',
  testOutcome: 'passed',
  testRunId: null,
  changedFiles: 4,
  notes: [],
};
const EXAMPLES: Readonly<Record<NoticeKind, (writing: Writing) => NoticeText>> = {
  question: (writing) => itemText(anItem(), null, writing),
  approval: (writing) =>
    itemText(anItem({ kind: 'approve', taskTitle: 'Cache tariffs', offer }), null, writing),
  permission: (writing) =>
    itemText(anItem({ kind: 'permission', tool: 'Bash', input: { command: 'npm ci' } }), null, writing),
  needsYou: (writing) => itemText(anItem({ kind: 'review', cause: 'too-many-questions' }), null, writing),
  finished: (writing) => finishedText({ project: 'docs', title: 'Fix anchors', costUsd: 0.234 }, writing),
  limit: (writing) =>
    itemText(anItem({ kind: 'manual', cause: 'usage-limit', project: null }), GOES_ON, writing),
  kill: (writing) => killText({ ended: 9, alive: 0 }, writing),
};
/** Intl sets money apart with a space that does not break. */
const plain = ({ title, body }: NoticeText): string => `${title}: ${body}`.replaceAll('\u00a0', ' ');

describe('each kind of notification', () => {
  test.each([
    [
      'en',
      {
        question: 'Question in invoice-service: The agent asks: Half up or half even?',
        approval: 'Ready for approval in invoice-service: Cache tariffs. 4 files, tests passed.',
        permission: 'Permission in invoice-service: Wants to run: npm ci. The turn waits.',
        needsYou: 'Needs you in invoice-service: The agent keeps asking.',
        finished: 'Done in docs: Fix anchors. $0.23 estimate.',
        limit: 'On hold: Usage limit reached. Goes on at 16:00.',
        kill: 'Everything is stopped: 9 processes ended, 0 still alive.',
      },
    ],
    [
      'de',
      {
        question: 'Frage in invoice-service: Der Agent fragt: Half up or half even?',
        approval: 'Bereit zur Freigabe in invoice-service: Cache tariffs. 4 Dateien, Tests bestanden.',
        permission: 'Erlaubnis in invoice-service: Will ausführen: npm ci. Der Zug wartet.',
        needsYou: 'Braucht dich in invoice-service: Der Agent fragt immer weiter.',
        finished: 'Fertig in docs: Fix anchors. 0,23 $ geschätzt.',
        limit: 'Angehalten: Nutzungsgrenze erreicht. Weiter um 16:00.',
        kill: 'Alles ist angehalten: 9 Prozesse beendet, 0 noch am Leben.',
      },
    ],
  ] as const)('says in %s', (language, texts) => {
    const said = NOTICE_KINDS.map((kind) => [kind, plain(EXAMPLES[kind](WRITINGS[language]))]);
    expect(Object.fromEntries(said)).toEqual(texts);
  });

  test.each([
    [
      'en',
      '9 items in docs: 1 question, 2 approvals, 1 permission, 1 item to look at, 1 finished task, 2 holds, 1 kill switch.',
    ],
    [
      'de',
      '9 Einträge in docs: 1 Frage, 2 Freigaben, 1 Erlaubnis, 1 Eintrag zum Ansehen, 1 fertige Aufgabe, 2 Halte, 1 Notaus.',
    ],
  ] as const)('is counted in a bundle in %s', (language, text) => {
    const kinds = [...NOTICE_KINDS, 'approval', 'limit'] as const;
    expect(plain(bundleText('docs', kinds, WRITINGS[language]))).toBe(text);
  });

  test.each(['en', 'de'] as const)('fits in %s, whatever an agent writes', (language) => {
    const long = 'word '.repeat(5000);
    const items = (['specify', 'approve', 'permission', 'review', 'manual'] as const).map((kind) =>
      anItem({ kind, question: long, taskTitle: long, tool: long, input: { file_path: long }, offer }),
    );
    const lengths = items.map((item) => [...itemText(item, GOES_ON, WRITINGS[language]).body].length);
    expect(lengths.filter((length) => length > 140)).toEqual([]);
  });

  test('no text of one language is left in the other', () => {
    /** Each text of the table, functions filled with the same facts. */
    const texts = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'function') return [String((value as (...facts: unknown[]) => unknown)(3, 4))];
      return Object.values(value as object).flatMap(texts);
    };
    const [en, de] = [texts(NOTICE_WORDS.en), texts(NOTICE_WORDS.de)];
    expect([de.length, en.filter((text, at) => text === de[at])]).toEqual([en.length, ['3 in 4']]);
  });
});

describe('buttons of a notification', () => {
  const can = { click: true, buttons: true, reply: false, withdraw: true };

  test('are in the language, and never stand beside an option that reads like one of them', () => {
    const permission = offerFor(anItem({ kind: 'permission' }), can, WRITINGS.de);
    const question = offerFor(anItem({ options: ['Antworten', 'Half up'] }), can, WRITINGS.de);
    expect([permission.buttons, question.buttons].map((all) => all.map(({ label }) => label))).toEqual([
      ['Öffnen', 'Ablehnen'],
      ['Half up', 'Öffnen'],
    ]);
  });
});

describe('the language', () => {
  test.each([
    ['system', 'de-AT', { language: 'de', locale: 'de-AT' }],
    ['system', 'fr-FR', { language: 'en', locale: 'en-GB' }],
    ['system', '', { language: 'en', locale: 'en-GB' }],
    ['de', 'en-US', { language: 'de', locale: 'de-DE' }],
    ['en', 'en-US', { language: 'en', locale: 'en-US' }],
  ] as const)('preferred %s on a system of %j', (preferred, locale, writing) => {
    expect(writingOf(preferred, locale)).toEqual(writing);
  });

  test.each([
    [{ LANG: 'de_AT.UTF-8' }, 'de-AT'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'de_DE' }, 'de-DE'],
    [{ LC_ALL: '', LC_MESSAGES: 'de' }, 'de'],
    [{ LANG: 'C.UTF-8' }, ''],
    [{}, ''],
  ])('of the environment %j is %j', (env, locale) => {
    expect(localeOfEnvironment(env)).toBe(locale);
  });

  test('of all that is told follows the preference, from the next notification on', async () => {
    const world = notifyWorld();
    await world.start();
    world.clock.advance(1000);
    const raisedAt = new Date(world.clock.now()).toISOString();
    await world.raise(anItem({ raisedAt }));
    world.preferences.now = { ...world.preferences.now, language: 'de' };
    world.notifier.act({
      kind: 'button',
      key: world.notifier.keyOf('Question in invoice-service'),
      button: 'option-1',
    });
    await world.settle();
    await world.raise(anItem({ number: 60, raisedAt }));
    expect(world.notifier.shown.map(({ title }) => title)).toEqual([
      'Question in invoice-service',
      'Gesendet an #52',
      'Frage in invoice-service',
    ]);
  });
});
