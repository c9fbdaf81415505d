import { describe, expect, test } from 'vitest';
import { ItemCause } from '../../../../src-shared/model/item.ts';
import {
  bundleText,
  finishedText,
  itemText,
  killText,
  kindOfItem,
} from '../../../../src-main/core/notify/notice-text.ts';
import { NOTICE_WORDS } from '../../../../src-main/core/notify/words.ts';
import { clipped, plainLine } from '../../../../src-main/core/notify/plain-text.ts';
import { anItem } from './items.ts';

const offer = {
  baseCommit: 'b',
  testOutcome: 'passed',
  testRunId: null,
  changedFiles: 4,
  notes: [],
} as const;
const utc = { language: 'en', locale: 'en-GB', timeZone: 'UTC' } as const;

describe('what a notification says', () => {
  test('a question is introduced as the words of the agent', () => {
    expect(itemText(anItem(), null)).toEqual({
      title: 'Question in invoice-service',
      body: 'The agent asks: Half up or half even?',
    });
  });

  test('an approval names the task, the files and the tests', () => {
    const item = anItem({ kind: 'approve', taskTitle: 'Cache tariffs', offer: { ...offer, notes: [] } });
    expect(itemText(item, null)).toEqual({
      title: 'Ready for approval in invoice-service',
      body: 'Cache tariffs. 4 files, tests passed.',
    });
  });

  test('an approval with a long title still ends with its facts', () => {
    const item = anItem({
      kind: 'approve',
      taskTitle: 'x'.repeat(300),
      offer: { ...offer, changedFiles: 1, testOutcome: 'not-configured', notes: [] },
    });
    const { body } = itemText(item, null);
    expect([body.length <= 140, body.endsWith('… 1 file, no test command.')]).toEqual([true, true]);
  });

  test.each([
    [
      { tool: 'Bash', input: { command: 'npm install\nrm -rf /' } },
      'Wants to run: npm install rm -rf /. The turn waits.',
    ],
    [{ tool: 'Edit', input: { file_path: 'src/a.ts' } }, 'Wants to use Edit on src/a.ts. The turn waits.'],
    [{ tool: 'WebFetch', input: { url: 'https://a.b/c' } }, 'Wants to open https://a.b/c. The turn waits.'],
    [{ tool: 'Task', input: {} }, 'Wants to use Task. The turn waits.'],
    [{ question: 'Run a command' }, 'Run a command. The turn waits.'],
  ])('a permission request says what is wanted and that a turn waits: %j', (facts, body) => {
    const item = anItem({ kind: 'permission', ...facts });
    expect(itemText(item, null)).toEqual({ title: 'Permission in invoice-service', body });
  });

  test('a review item says its cause in our own words', () => {
    const item = anItem({ kind: 'review', cause: 'too-many-questions', question: 'agent text' });
    expect(itemText(item, null)).toEqual({
      title: 'Needs you in invoice-service',
      body: 'The agent keeps asking.',
    });
  });

  test('a limit says when it goes on, where that is known', () => {
    const item = anItem({ kind: 'manual', cause: 'usage-limit', project: null });
    expect([itemText(item, '2026-03-02T16:00:00.000Z', utc), itemText(item, null)]).toEqual([
      { title: 'On hold', body: 'Usage limit reached. Goes on at 16:00.' },
      { title: 'On hold', body: 'Usage limit reached.' },
    ]);
  });

  test('a finished task says its estimated cost', () => {
    expect(finishedText({ project: 'docs-site', title: 'Fix broken anchors', costUsd: 0.234 })).toEqual({
      title: 'Done in docs-site',
      body: 'Fix broken anchors. $0.23 estimate.',
    });
  });

  test('the kill switch says what was ended and what lives', () => {
    expect([killText({ ended: 9, alive: 0 }), killText({ ended: 1, alive: 2 }).body]).toEqual([
      { title: 'Everything is stopped', body: '9 processes ended, 0 still alive.' },
      '1 process ended, 2 still alive.',
    ]);
    expect(killText(null).body).toContain('Nothing starts until it is released');
  });

  test('a bundle counts by kind', () => {
    const kinds = ['approval', 'question', 'question', 'approval', 'question'] as const;
    expect([bundleText('invoice-service', kinds), bundleText(null, ['limit'])]).toEqual([
      { title: '5 items in invoice-service', body: '3 questions, 2 approvals.' },
      { title: '1 item', body: '1 hold.' },
    ]);
  });

  test.each(['en', 'de'] as const)('every cause has a sentence that fits, and a kind, in %s', (language) => {
    const { causes } = NOTICE_WORDS[language];
    const rows = ItemCause.options.map((cause) => [
      causes[cause].endsWith('.') && causes[cause].length <= 140,
      ['limit', 'needsYou'].includes(kindOfItem({ kind: 'review', cause })),
    ]);
    expect(rows.flat().every(Boolean)).toBe(true);
  });
});

describe('foreign text in a notification', () => {
  test.each([
    ['two\nlines\r\nand\ttabs', 'two lines and tabs'],
    ['\u001b[31mred\u0007', '[31mred'],
    ['pay \u202Eevil\u202C now\u200B', 'pay evil now'],
    ['<b>bold</b> <img src=x onerror=alert(1)>', 'bold'],
    ['<scr<b>ipt>x', 'x'],
    ['<<b>script>alert(1)', 'alert(1)'],
    ['**loud** `code` ~~gone~~', 'loud code gone'],
    ['[here](https://evil.example) ![pic](x)', 'here pic'],
    ['# Heading\n- item', 'Heading item'],
    ['snake_case and a < b && c > d', 'snake_case and a < b && c > d'],
    ['👨\u200D👩\u200D👧 family', '👨\u200D👩\u200D👧 family'],
    ['lone \uD800 half', 'lone half'],
  ])('%j becomes %j', (text, plain) => {
    expect(plainLine(text, 140)).toBe(plain);
  });

  test('no body is longer than 140 characters, whatever an agent writes', () => {
    const item = anItem({ question: `${'<i>'.repeat(5000)}${'word '.repeat(5000)}` });
    const { body } = itemText(item, null);
    expect([[...body].length <= 140, body.includes('<i>')]).toEqual([true, false]);
  });

  test('a cut never falls inside a character', () => {
    expect(clipped('😀😀😀', 2)).toBe('😀…');
  });
});
