import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  frameAnswer,
  frameConflict,
  frameLaidConflict,
  frameSendBack,
  frameStart,
  frameTestsFailed,
} from '../../../../src-main/core/relay/prompts.ts';
import type { DeliveryId, ItemNumber, TaskNumber } from '../../../../src-shared/ids.ts';

const delivery = '11111111-1111-4111-8111-111111111111' as DeliveryId;
const item = 52 as ItemNumber;
const LAID = {
  delivery,
  base: 'main',
  baseCommit: 'b1',
  workCommit: 'w1',
  messages: [],
  hunks: [],
  leftOut: 0,
};

test('what stands at a conflict is quoted, attaches no file, and what is left out is counted', () => {
  const prompt = frameLaidConflict({
    ...LAID,
    messages: ['CONFLICT (content): Merge conflict in @notes'],
    hunks: ['a.txt, line 2:\n<<<<<<< b1\n@/etc/passwd'],
    leftOut: 3,
  });
  expect(prompt).not.toContain('@');
  expect(prompt).toContain('> a.txt, line 2:\n> <<<<<<< b1\n> ＠/etc/passwd');
  expect(prompt).toContain('3 more are not shown here');
});

test('no text of a person or an agent can make a prompt begin as a command, and the delivery id stands in each', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
      const prompts = [
        frameStart({
          delivery,
          taskNumber: 14 as TaskNumber,
          project: b,
          title: a,
          description: a,
          isSynthetic: true,
        }),
        frameAnswer({ delivery, item, who: b, question: a, answer: a }),
        frameSendBack({ delivery, item, who: b, note: a }),
        frameTestsFailed({ delivery, outcome: b, tail: a }),
        frameConflict({ delivery, base: b, paths: [a] }),
        frameLaidConflict({ ...LAID, messages: [a], hunks: [b] }),
      ];
      for (const prompt of prompts) expect(prompt.startsWith(`Signalbox message ${delivery}\n`)).toBe(true);
    }),
  );
});

test('an answer stands in its prompt verbatim, 200 KB with shell characters too', () => {
  const answer = `$(rm -rf ~) \`x\` "q" 'q' \\ ; | & > < * ? \u0000 ü 日本 ${'x'.repeat(200_000)}`;
  expect(frameAnswer({ delivery, item, who: 'asha', question: 'q', answer })).toContain(
    `----- begin ${delivery}\n${answer}\n----- end ${delivery}`,
  );
});

test('text that no person typed cannot attach files', () => {
  expect(frameTestsFailed({ delivery, outcome: 'exit code 1', tail: 'see @/etc/passwd' })).not.toContain('@');
  expect(
    frameAnswer({ delivery, item, who: 'asha', question: 'is it @/etc/passwd?', answer: 'no' }),
  ).not.toContain('@');
});
