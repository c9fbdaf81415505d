import type { ItemAction, ItemCause } from '../../../src-shared/model/item.ts';

const CANCEL: ItemAction = {
  name: 'cancel',
  title: 'Cancel the task',
  consequence:
    'The task ends. What was committed stays on its branch; the rest is kept on a side ref and can be restored.',
};
const RETRY_FRESH: ItemAction = {
  name: 'retry-fresh',
  title: 'Retry fresh',
  consequence: 'The agent starts again in a new session; attempts count from 0.',
};
const RETRY_IN_SESSION: ItemAction = {
  name: 'retry',
  title: 'Retry in the session',
  consequence: 'The agent goes on in the same session; attempts count from 0.',
};
const RETRY: ItemAction = {
  name: 'retry',
  title: 'Try again',
  consequence: 'The same step is tried once more.',
};
const CHECK_AGAIN: ItemAction = {
  name: 'check-again',
  title: 'Check again',
  consequence: 'One call is let through; if it works, everything goes on.',
};
const WAIT: ItemAction = { name: 'wait', title: 'Wait', consequence: 'Nothing is stopped.' };

/** Stops that switched the project off; whatever goes on with the task switches it on again (12-engine, States). */
export const SAFETY_CAUSES: ReadonlySet<ItemCause> = new Set([
  'safety-stop',
  'session-mismatch',
  'conversation-lost',
  'permission-blocked',
]);
const RE_ENABLING: readonly ItemAction[] = [
  {
    ...RETRY_FRESH,
    title: 'Retry fresh and re-enable',
    consequence: `The project is switched on again. ${RETRY_FRESH.consequence}`,
  },
  {
    ...RETRY_IN_SESSION,
    title: 'Retry in the session and re-enable',
    consequence: `The project is switched on again. ${RETRY_IN_SESSION.consequence}`,
  },
  CANCEL,
];

/** Where git no longer finds the tree that was ours: to try the same step again would stop at the same place. */
export const ALTERED_TREE_ACTIONS: readonly ItemAction[] = [
  {
    name: 'recreate',
    title: 'Recreate and re-enable',
    consequence:
      'The project is switched on again and a new tree is made from the last commit. Uncommitted work in the old one is kept on a side ref (signalbox task kept).',
  },
  CANCEL,
];

/** The actions of 12-engine's table, by cause. `resolve --action` takes their names. */
export const ACTIONS_OF: Readonly<Record<ItemCause, readonly ItemAction[]>> = {
  'too-many-questions': [
    {
      name: 'more-questions',
      title: 'Allow 3 more',
      consequence: 'The question below is raised for an answer, and the task may ask that many more.',
      value: 'how many more questions (default 3)',
    },
    {
      name: 'answer',
      title: 'Answer by hand',
      consequence: 'Your text is delivered as the answer; the limit stays.',
      value: 'the answer',
    },
    CANCEL,
  ],
  'attempts-used-up': [
    RETRY_FRESH,
    RETRY_IN_SESSION,
    {
      name: 'give-up',
      title: 'Give up',
      consequence:
        'The task ends as failed. What was committed stays on its branch; the rest is kept on a side ref.',
    },
    CANCEL,
  ],
  'budget-used-up': [
    {
      name: 'raise-cap',
      title: 'Raise the budget',
      consequence: 'The project may spend up to the new amount; every task that the budget parked goes on.',
      value: 'the new budget in USD',
    },
    { name: 'wait', title: 'Wait', consequence: 'The task goes on when the next budget period begins.' },
    CANCEL,
  ],
  'spike-budget': [WAIT, CANCEL],
  'calls-used-up': [
    {
      name: 'raise-cap',
      title: 'Raise the calls per day',
      consequence: 'The agent may make that many calls a day.',
      value: 'the new number of calls per day',
    },
    { name: 'wait', title: 'Wait', consequence: 'Dispatch goes on at local midnight.' },
  ],
  'merge-conflict': [
    {
      name: 'retry',
      title: 'Retry the merge',
      consequence: 'The approved commit is merged again with the base as it is now.',
    },
    {
      name: 'send-back',
      title: 'Send to the agent',
      consequence:
        'The base is merged into the worktree with its conflicts marked; the agent resolves them, and the result is tested and offered again.',
    },
    {
      name: 'leave-on-branch',
      title: 'Leave it on its branch',
      consequence: 'The task is done; you merge the branch yourself.',
    },
    CANCEL,
  ],
  'base-dirty': [
    {
      name: 'done',
      title: 'Merge',
      consequence: 'After you put your files out of the way: the approved commit is merged.',
    },
    {
      name: 'leave-on-branch',
      title: 'Leave it on its branch',
      consequence: 'The task is done; you merge the branch yourself.',
    },
    CANCEL,
  ],
  'merge-failed': [
    {
      name: 'retry',
      title: 'Retry the merge',
      consequence: 'The approved commit is merged again with the base as it is now.',
    },
    {
      name: 'leave-on-branch',
      title: 'Leave it on its branch',
      consequence: 'The task is done; you merge the branch yourself.',
    },
    CANCEL,
  ],
  login: [CHECK_AGAIN],
  'usage-limit': [CHECK_AGAIN],
  overload: [CHECK_AGAIN],
  billing: [CHECK_AGAIN],
  executable: [CHECK_AGAIN],
  'disk-full': [CHECK_AGAIN],
  stall: [
    WAIT,
    { name: 'stop', title: 'Stop', consequence: 'The call is stopped and counts as a failed attempt.' },
  ],
  'tree-gone': [
    {
      name: 'recreate',
      title: 'Recreate from the last commit',
      consequence:
        'A new tree is made where the old one was. Uncommitted work that is still in it is kept on a side ref (signalbox task kept) and is not part of the new one.',
    },
    CANCEL,
  ],
  'safety-stop': [
    {
      name: 'keep',
      title: 'Keep and re-enable',
      consequence: 'The project is switched on again and the step is tried once more.',
    },
    CANCEL,
  ],
  'data-class': [
    {
      name: 'not-personal-data',
      title: 'Not personal data',
      consequence: 'These values are let through from now on, recorded by hash.',
    },
    {
      name: 'send-back',
      title: 'Send back',
      consequence: 'The agent is told which rules hit where, without the values.',
    },
    CANCEL,
  ],
  'session-mismatch': RE_ENABLING,
  'conversation-lost': RE_ENABLING,
  'permission-blocked': RE_ENABLING,
  'transcript-unreadable': [RETRY, RETRY_FRESH, CANCEL],
  'tests-unavailable': [RETRY, CANCEL],
  'setup-failed': [RETRY, CANCEL],
  'git-locked': [RETRY, CANCEL],
  'step-failed': [RETRY, RETRY_FRESH, CANCEL],
};
