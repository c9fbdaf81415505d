import type { ItemCause } from '../../../src-shared/model/item.ts';

/** States of the whole hub or of a budget: dispatch stands still, nobody has to look at a piece of work. */
const HOLD_CAUSES: ReadonlySet<ItemCause> = new Set<ItemCause>([
  'login',
  'usage-limit',
  'overload',
  'billing',
  'executable',
  'disk-full',
  'calls-used-up',
  'budget-used-up',
  'spike-budget',
]);

export const isHoldCause = (cause: ItemCause | null): boolean => cause !== null && HOLD_CAUSES.has(cause);

/** One sentence each, our own words: what a notification says of why an item was raised. */
export const CAUSE_TEXT: Readonly<Record<ItemCause, string>> = {
  'too-many-questions': 'The agent keeps asking.',
  'attempts-used-up': 'All attempts are used up.',
  'budget-used-up': 'The budget is used up.',
  'spike-budget': 'The budget of the spike is used up.',
  'merge-conflict': 'The approved change conflicts with the base branch.',
  'base-dirty': 'The base branch is checked out with changes of yours.',
  login: 'Claude Code needs a login.',
  'usage-limit': 'Usage limit reached.',
  overload: 'The service is overloaded.',
  billing: 'The account has a billing problem.',
  executable: 'Claude Code was not found or does not start.',
  'disk-full': 'The disk is full.',
  'calls-used-up': 'All calls of today are used.',
  stall: 'The agent has been silent for a while.',
  'tree-gone': 'The worktree of the task is gone.',
  'safety-stop': 'Stopped: the agent did what is not allowed. The project is switched off.',
  'data-class': 'The changes may hold personal data.',
  'session-mismatch': 'The session is not the one that was started.',
  'transcript-unreadable': 'The transcript cannot be read.',
  'conversation-lost': 'The conversation is gone.',
  'permission-blocked': 'The agent lacks a permission.',
  'tests-unavailable': 'The tests could not run.',
  'setup-failed': 'The set-up command failed.',
  'git-locked': 'The repository is locked by another program.',
  'merge-failed': 'The merge failed.',
  'step-failed': 'A step failed.',
};
