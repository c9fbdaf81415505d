import type { TFunction } from 'i18next';
import { describe, expect, test } from 'vitest';
import { excerptOf, titleOf } from '../../../src-renderer/features/inbox/titles.ts';
import { sortChecks } from '../../../src-renderer/features/settings/doctor-checks.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';

const named = ((key: string) => key) as unknown as TFunction<'inbox'>;
const item = (given: Partial<ItemView>): ItemView =>
  ({
    kind: 'specify',
    cause: null,
    taskTitle: 'Round totals',
    message: null,
    question: 'How?',
    questionBy: 'agent',
    summary: 'Rounded.',
    ...given,
  }) as unknown as ItemView;

describe('the title of an item', () => {
  test.each([
    ['the task of a question', {}, 'Round totals', false],
    [
      'what happened, for a review',
      { kind: 'review', cause: 'merge-conflict' },
      'cause_merge-conflict',
      true,
    ],
    ['the task, for a review without a cause', { kind: 'review' }, 'Round totals', false],
    [
      'our sentence where there is no task',
      { kind: 'manual', taskTitle: null, message: 'Log in.' },
      'Log in.',
      true,
    ],
    ['its kind where there is nothing else', { kind: 'manual', taskTitle: null }, 'kind_manual', true],
  ] as const)('is %s', (_what, given, text, isOurs) => {
    expect(titleOf(named, item(given as Partial<ItemView>))).toEqual({ text, isOurs });
  });
});

describe('the third line of an item', () => {
  test.each([
    [
      'the excerpt of the hub',
      { excerpt: { text: 'Short', by: 'agent' }, message: 'Ours' },
      'Short',
      'agent',
    ],
    ['our sentence', { message: 'The merge stopped.' }, 'The merge stopped.', 'signalbox'],
    ["the agent's report of an offer", { kind: 'approve', message: '' }, 'Rounded.', 'agent'],
    ['the question, by whoever asks it', { questionBy: 'signalbox' }, 'How?', 'signalbox'],
  ] as const)('is %s', (_what, given, text, by) => {
    expect(excerptOf(item(given as Partial<ItemView>))).toEqual({ text, by });
  });
});

test('checks stand where they belong, and none is lost', () => {
  const check = (name: string) => ({ name, status: 'ok' as const, found: 'fine' });
  const [node, claude, login, git] = ['Node', 'Claude Code', 'login', 'git'].map(check);
  expect(sortChecks([node, claude, login, git].flatMap((each) => each ?? []))).toEqual({
    claude,
    login,
    notifications: undefined,
    others: [node, git],
  });
  expect(sortChecks([])).toEqual({
    claude: undefined,
    login: undefined,
    notifications: undefined,
    others: [],
  });
});
