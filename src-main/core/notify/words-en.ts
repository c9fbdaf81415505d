import type { NoticeWords } from './words.ts';

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

const receipt = (ended: number, alive: number): string =>
  `${counted(ended, 'process', 'processes')} ended, ${alive} still alive.`;

export const EN: NoticeWords = {
  titles: {
    question: 'Question',
    approval: 'Ready for approval',
    permission: 'Permission',
    needsYou: 'Needs you',
    finished: 'Done',
    limit: 'On hold',
  },
  inProject: (what, project) => `${what} in ${project}`,
  agentAsks: (question) => `The agent asks: ${question}`,
  wantsToRun: (command) => `Wants to run: ${command}`,
  wantsToUseOn: (tool, file) => `Wants to use ${tool ?? 'a tool'} on ${file}`,
  wantsToOpen: (url) => `Wants to open ${url}`,
  wantsToUse: (tool) => `Wants to use ${tool}`,
  turnWaits: 'The turn waits.',
  files: (count) => counted(count, 'file'),
  tests: {
    passed: 'tests passed',
    'not-configured': 'no test command',
    'nothing-to-test': 'nothing to test',
  },
  // Costs are the command line's own estimate, and every place says so.
  estimate: (money) => `${money} estimate`,
  causes: {
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
  },
  standsStill: 'Dispatch stands still.',
  goesOnAt: (time) => `Goes on at ${time}.`,
  items: (count) => counted(count, 'item'),
  kinds: {
    question: ['question', 'questions'],
    approval: ['approval', 'approvals'],
    permission: ['permission', 'permissions'],
    needsYou: ['item to look at', 'items to look at'],
    finished: ['finished task', 'finished tasks'],
    limit: ['hold', 'holds'],
    kill: ['kill switch', 'kill switches'],
  },
  stopped: {
    title: 'Everything is stopped',
    unknown: 'The kill switch is engaged. Nothing starts until it is released.',
    receipt,
    alone: (ended, alive) => `No hub answered. ${receipt(ended, alive)}`,
  },
  buttons: { open: 'Open', deny: 'Deny', reply: 'Reply' },
  answered: {
    sent: (item) => `Sent to #${item}`,
    denied: (item) => `Denied #${item}`,
    notSent: (item) => `Not sent to #${item}`,
    changed: 'It was answered elsewhere or has changed. Nothing was sent.',
    broke: 'Something in Signalbox broke while it did this. The log has the details.',
  },
  test: {
    title: 'Signalbox notifications work',
    body: 'Click to open the inbox.',
    question: 'A scripted agent asks: does this notification reach you?',
    answer: 'Yes',
  },
  noTray: {
    title: 'Signalbox has no tray icon here',
    body: 'This desktop shows no icons of programs, so that closing the window quits Signalbox. On GNOME the extension AppIndicator shows them.',
  },
  problem: 'This system shows no notifications. The count on the icon still works.',
};
