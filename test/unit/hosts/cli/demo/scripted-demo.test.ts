import { expect, test } from 'vitest';
import { frameAnswer, frameStart } from '../../../../../src-main/core/relay/prompts.ts';
import {
  DEMO_OPTIONS,
  DEMO_QUESTION,
  demoSteps,
  readRounding,
  roundTotal,
} from '../../../../../src-main/hosts/cli/demo/scripted-demo.ts';
import type { ScriptedSession } from '../../../../../src-main/hosts/cli/demo/scripted-session.ts';
import type { DeliveryId, ItemNumber, TaskNumber } from '../../../../../src-shared/ids.ts';

const delivery = '11111111-1111-4111-8111-111111111111' as DeliveryId;
const answered = (answer: string): string =>
  frameAnswer({ delivery, item: 1 as ItemNumber, who: 'Someone', question: DEMO_QUESTION, answer });

test('the choice is read from the answer and not from the question that the frame repeats', () => {
  const answers = [...DEMO_OPTIONS, 'to the nearest rupee please', 'two places', 'whatever you like'];
  expect(answers.map((answer) => readRounding(answered(answer)))).toEqual([
    'places',
    'rupee',
    'rupee',
    'places',
    'places',
  ]);
});

test.each([
  [
    'python',
    'def total(items):\n    return sum(items)\n',
    '    return round(sum(items), 2)',
    '    return round(sum(items))',
  ],
  [
    'javascript',
    'export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n',
    'export const total = (items) => Math.round((items.reduce((sum, item) => sum + item, 0)) * 100) / 100;',
    'export const total = (items) => Math.round(items.reduce((sum, item) => sum + item, 0));',
  ],
  [
    'python',
    'def total(lines):\n    return sum(\n        line["amount"]\n        for line in lines\n    )\n\n\nX = 1\n',
    '    return round(sum(\n        line["amount"]\n        for line in lines\n    ), 2)',
    '    return round(sum(\n        line["amount"]\n        for line in lines\n    ))',
  ],
  [
    'javascript',
    'function total(items) {\n  return items\n    .reduce((sum, item) => sum + item, 0);\n}\n',
    '  return Math.round((items\n    .reduce((sum, item) => sum + item, 0)) * 100) / 100;',
    '  return Math.round(items\n    .reduce((sum, item) => sum + item, 0));',
  ],
  [
    'javascript',
    'function total(items) {\n  let total = 0;\n  for (const item of items) total += item;\n  return total;\n}\n',
    '  return Math.round((total) * 100) / 100;',
    '  return Math.round(total);',
  ],
] as const)('the sum of a %s module is rounded once', (language, source, places, rupee) => {
  const changes = (['places', 'rupee'] as const).map((rounding) => roundTotal(source, language, rounding));
  const rounded = changes.map((change) => source.replace(change?.from ?? '', () => change?.to ?? ''));
  expect([
    changes.map((change) => change?.to),
    changes.map((change) => source.includes(change?.from ?? '(nothing)')),
    rounded.map((text) => roundTotal(text, language, 'places')),
  ]).toEqual([
    [places, rupee],
    [true, true],
    [null, null],
  ]);
});

test('it asks first, whatever the task says, and only once', () => {
  const session: ScriptedSession = {
    prompts: [],
    promptsSinceQuestion: null,
    totalUsd: 0,
    totalReplies: 0,
    recordPrompt: () => undefined,
    recordReply: () => undefined,
    recordEnd: () => undefined,
  };
  const task = frameStart({
    delivery,
    taskNumber: 1 as TaskNumber,
    project: 'h1-a',
    title: 'Round totals',
    description: 'Round to 2 places or to the nearest rupee? Ask.',
    isSynthetic: true,
  });
  const ends = [
    demoSteps(session, task, '/nowhere'),
    demoSteps({ ...session, prompts: [task] }, 'Continue.', '/nowhere'),
  ].map((steps) => steps.at(-1)?.do);
  const after = demoSteps(
    { ...session, prompts: [task], promptsSinceQuestion: [] },
    answered('2 places'),
    import.meta.dirname,
  );
  expect([ends, after]).toEqual([
    ['ask', 'ask'],
    [{ do: 'done', summary: 'Totals are rounded to 2 places; there was nothing left to change.' }],
  ]);
});
