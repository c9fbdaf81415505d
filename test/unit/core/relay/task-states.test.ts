import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  TASK_EVENTS,
  TASK_TRANSITIONS,
  taskStateAfter,
  taskStatesMarkdown,
} from '../../../../src-main/core/relay/task-states.ts';
import { TASK_STATES, isEnded } from '../../../../src-shared/model/task.ts';

test('the document of task states is the table', () => {
  expect(readFileSync('docs/technical/task-states.md', 'utf8')).toBe(taskStatesMarkdown());
});

test('every state has a row and every event a place in it', () => {
  expect(Object.keys(TASK_TRANSITIONS).sort()).toEqual([...TASK_STATES].sort());
  const used = new Set(Object.values(TASK_TRANSITIONS).flatMap((row) => Object.keys(row)));
  expect([...TASK_EVENTS].filter((event) => !used.has(event))).toEqual([]);
});

test('whatever happens, a done task stays done, and any other can be cancelled until it ends', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TASK_EVENTS), { maxLength: 40 }), (events) => {
      let state: (typeof TASK_STATES)[number] = 'draft';
      for (const event of events) {
        const next = taskStateAfter(state, event);
        if (state === 'done') expect(next).toBeNull();
        if (next !== null) state = next;
      }
      if (!isEnded(state)) expect(taskStateAfter(state, 'cancel')).toBe('cancelled');
    }),
  );
});

test('a parked task leaves only by an act of a person', () => {
  expect(Object.keys(TASK_TRANSITIONS.parked).sort()).toEqual(
    ['answered', 'ask', 'cancel', 'give-up', 'leave-on-branch', 'merge-again', 'retry', 'send-back'].sort(),
  );
});
