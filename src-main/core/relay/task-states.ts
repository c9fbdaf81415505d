import type { TaskState } from '../../../src-shared/model/task.ts';

/** What can happen to a task. Each event has one cause in the engine or one command of a person. */
export const TASK_EVENTS = [
  'submit',
  'dispatch',
  'dispatch-tests',
  'ask',
  'answered',
  'undo-answer',
  'undo-send-back',
  'undo-resolve',
  'begin-tests',
  'offer',
  'requeue',
  'send-back',
  'approve',
  'close',
  'merged',
  'retest',
  'retested',
  'park',
  'retry',
  'merge-again',
  'leave-on-branch',
  'give-up',
  'cancel',
] as const;
export type TaskEvent = (typeof TASK_EVENTS)[number];

type Row = Readonly<Partial<Record<TaskEvent, TaskState>>>;

/**
 * The one transition table (12-engine, States). What is not here is illegal and throws.
 * `ready` takes `ask` and `offer` too: a turn whose result had come when the kill switch put its task back is not lost.
 */
export const TASK_TRANSITIONS: Readonly<Record<TaskState, Row>> = {
  draft: { submit: 'ready', cancel: 'cancelled' },
  ready: {
    dispatch: 'running',
    'dispatch-tests': 'testing',
    ask: 'awaiting_human',
    'undo-answer': 'awaiting_human',
    'undo-send-back': 'awaiting_approval',
    'undo-resolve': 'parked',
    requeue: 'ready',
    park: 'parked',
    cancel: 'cancelled',
  },
  running: {
    ask: 'awaiting_human',
    'begin-tests': 'testing',
    offer: 'awaiting_approval',
    requeue: 'ready',
    park: 'parked',
    cancel: 'cancelled',
  },
  testing: {
    offer: 'awaiting_approval',
    requeue: 'ready',
    retested: 'merging',
    park: 'parked',
    cancel: 'cancelled',
  },
  awaiting_human: { answered: 'ready', park: 'parked', cancel: 'cancelled' },
  awaiting_approval: {
    approve: 'merging',
    close: 'done',
    'send-back': 'ready',
    park: 'parked',
    cancel: 'cancelled',
  },
  merging: { merged: 'done', retest: 'ready', park: 'parked', cancel: 'cancelled' },
  parked: {
    retry: 'ready',
    ask: 'awaiting_human',
    answered: 'ready',
    'send-back': 'ready',
    'merge-again': 'merging',
    'leave-on-branch': 'done',
    'give-up': 'failed',
    cancel: 'cancelled',
  },
  done: {},
  failed: { retry: 'ready' },
  cancelled: { retry: 'ready' },
};

/** @returns null when the event is not allowed in this state */
export const taskStateAfter = (state: TaskState, event: TaskEvent): TaskState | null =>
  TASK_TRANSITIONS[state][event] ?? null;

/** Events that a state takes, for messages such as "a done task takes nothing more". */
export const eventsOf = (state: TaskState): readonly TaskEvent[] =>
  TASK_EVENTS.filter((event) => TASK_TRANSITIONS[state][event] !== undefined);

/** States that hold one of the project's slots. */
export const holdsSlot = (state: TaskState): boolean => state === 'running' || state === 'testing';

/** The table as Markdown; `docs/technical/task-states.md` is generated from it and checked by a test. */
export function taskStatesMarkdown(): string {
  const states = Object.keys(TASK_TRANSITIONS) as TaskState[];
  const rows = states.flatMap((state) =>
    eventsOf(state).map((event) => `| ${state} | ${event} | ${taskStateAfter(state, event) ?? ''} |`),
  );
  return [
    '# Task states',
    '',
    'Generated from `src-main/core/relay/task-states.ts` by `npm run docs:states`; do not edit by hand.',
    '',
    '| state | event | next state |',
    '| --- | --- | --- |',
    ...rows,
    '',
    'A slot is held in `running` and `testing`. `done` takes nothing more.',
    '',
  ].join('\n');
}
