import { expect, test } from 'vitest';
import { TASK_EVENTS } from '../../src-main/core/relay/task-states.ts';
import { LEDGER_KINDS, spellingsOf } from '../../src-shared/model/ledger-kinds.ts';

/** Kinds that filters and scripts of people rely on. New ones may come; these never change. */
const FROZEN = `
account.lock_wait git.committed git.lock_wait git.merged guardian.lost guardian.receipt harness.question
harness.result harness.resume harness.start hold.lifted hold.raised hold.renewed hub.paused hub.unpaused item.closed
item.raised item.responded item.undone kill.engaged kill.named kill.receipt kill.released policy.agent_changed
policy.data_class policy.data_class_accepted policy.unconfined_tests project.added project.changed project.disabled
project.enabled project.paused project.removed project.unpaused recovery.ended retention.deleted safety.stop
setup.result spike.ended spike.started task.added task.answered task.approve task.ask task.begin_tests task.cancel
task.cancel_asked task.close task.committed task.dispatch task.dispatch_tests task.give_up task.interrupt_asked
task.leave_on_branch task.merge task.merge_again task.merged task.moved task.offer task.offered task.park
task.questions_raised task.requeue task.restored task.retest task.retested task.retry task.retry_asked
task.send_back task.submit task.undo_answer task.undo_resolve task.undo_send_back test.result tree.kept tree.left tree.made tree.removed tree.restored
`
  .trim()
  .split(/\s+/);

test('kinds of ledger entries keep their names, and there is no other', () => {
  expect(FROZEN.filter((kind) => !LEDGER_KINDS.includes(kind as never))).toEqual([]);
  expect(LEDGER_KINDS.filter((kind) => !FROZEN.includes(kind))).toEqual([]);
});

test('every kind is a family and words with underscores between them, each kind once', () => {
  expect(LEDGER_KINDS.filter((kind) => !/^[a-z]+\.[a-z]+(_[a-z]+)*$/.test(kind))).toEqual([]);
  expect(new Set(LEDGER_KINDS.flatMap(spellingsOf)).size).toBe(
    LEDGER_KINDS.length + LEDGER_KINDS.filter((kind) => kind.includes('_')).length,
  );
});

test('every move of a task has its kind', () => {
  const moves = TASK_EVENTS.map((event) => `task.${event.replaceAll('-', '_')}`);
  expect(moves.filter((kind) => !LEDGER_KINDS.includes(kind as never))).toEqual([]);
});
