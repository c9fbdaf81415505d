import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TurnOutcome } from '../../../src-main/core/ports/harness.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { epochMs } from '../../../src-shared/time.ts';
import { EngineWorld, PERSON, WINDOW, done, exited, question, report } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
let world: EngineWorld;

beforeEach(() => {
  folder = makeTempFolder('engine');
  world = new EngineWorld(folder.path);
});
afterEach(async () => {
  await world.dispose();
  folder.dispose();
});

const failed = (
  category: Extract<TurnOutcome, { kind: 'failed' }>['category'],
  resetsAt: number | null = null,
): TurnOutcome => ({
  kind: 'failed',
  category,
  message: `It failed: ${category}.`,
  resetsAt: resetsAt === null ? null : epochMs(resetsAt),
  report: report({ isError: true, turnMicroUsd: microUsd(0) }),
});

async function asked(settings: Parameters<EngineWorld['addProject']>[0] = {}) {
  world.executor.script = [{ outcome: question() }];
  await world.engine.start();
  const project = world.addProject(settings);
  const task = world.addTask(project.id);
  await world.untilState(task.id, 'awaiting_human');
  const item = world.open()[0];
  if (item === undefined) throw new Error('no item');
  return { project, task, item };
}

describe('the relay', () => {
  test('a question parks the task, the answer resumes the same session, and approved work is merged', async () => {
    const { task, item } = await asked({ settings: { testCommand: ['true'] } });
    expect(item).toMatchObject({
      kind: 'specify',
      raisedBy: 'claude',
      question: 'Round to 2 places?',
      cycle: 1,
    });
    world.core.inbox.answerOption(item.number, '1', PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    const [first, second] = world.executor.sent;
    expect(second?.request).toMatchObject({ session: 'resume', sessionId: first?.request.sessionId });
    expect(first?.request.session).toBe('new');
    expect(second?.prompt).toContain(`asha replied to item #${item.number}`);
    expect(second?.prompt).toMatch(/----- begin .*\nyes\n----- end /);
    const approve = world.open()[0];
    expect(approve).toMatchObject({ kind: 'approve', offer: { commit: 'commit1', testOutcome: 'passed' } });
    world.core.inbox.approve(approve?.number ?? item.number, { commit: 'commit1' }, PERSON);
    await world.untilState(task.id, 'done');
    expect(world.workspaces.calls).toContain('merge commit1 on base0');
    expect(world.stores.turns.booked({ taskId: task.id })).toBe(5800);
    expect(world.stores.ledger.verify({ full: true }).ok).toBe(true);
    expect(world.ledgerKinds()).toEqual(
      expect.arrayContaining([
        'harness.start',
        'harness.resume',
        'harness.question',
        'item.responded',
        'task.merge',
        'test.result',
      ]),
    );
  });

  test('the session id stands in a committed row before the process is launched', async () => {
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    const { launch } = world.executor;
    let stored: unknown = null;
    world.executor.launch = (request) => {
      stored = world.stores.sessions.get(request.sessionId)?.taskId;
      return launch.call(world.executor, request);
    };
    await world.untilState(task.id, 'awaiting_approval');
    expect(stored).toBe(task.id);
  });

  test('the answer shows how far it came: stored, then seen by the agent', async () => {
    const { item } = await asked();
    world.executor.script = [{ hold: true, events: [] }];
    expect(world.core.inbox.answer(item.number, 'no', PERSON).delivery).toBe('stored');
    await world.until('sent', () => world.executor.sent.length === 2);
    expect(world.item(item.number).delivery).toBe('sending');
    world.executor.endAll('person');
  });

  test('a ready task starts as soon as its project gets a slot, is enabled, or its agent may call again', async () => {
    await world.engine.start();
    const project = world.addProject({ slots: 0 });
    const first = world.addTask(project.id);
    await world.engine.idle();
    world.core.projects.setSlots(project.id, 1, PERSON);
    await world.untilState(first.id, 'awaiting_approval');
    world.core.projects.setEnabled(project.id, false, PERSON);
    const second = world.addTask(project.id);
    await world.engine.idle();
    world.core.projects.setEnabled(project.id, true, PERSON);
    await world.untilState(second.id, 'awaiting_approval');
    world.core.agents.change('claude', { callsPerDay: 0 }, PERSON);
    const third = world.addTask(project.id);
    await world.engine.idle();
    world.core.agents.change('claude', { callsPerDay: 20 }, PERSON);
    await world.untilState(third.id, 'awaiting_approval');
  });

  test('an item takes one response', async () => {
    const { item } = await asked();
    world.core.inbox.answer(item.number, 'first', PERSON);
    expect(() => world.core.inbox.answer(item.number, 'second', PERSON)).toThrow(/closed: answered by asha/);
    expect(world.item(item.number).answer).toBe('first');
  });

  test('an answer from a window can be taken back for five seconds and not after', async () => {
    const { item, task } = await asked();
    world.core.inbox.answer(item.number, 'draft', WINDOW);
    expect(world.task(task.id).state).toBe('awaiting_human');
    expect(world.core.inbox.undo(item.number, WINDOW)).toMatchObject({ state: 'open', answer: 'draft' });
    world.core.inbox.answer(item.number, 'final', WINDOW);
    world.clock.advance(5000);
    await world.until('resumed', () => world.executor.sent.length === 2);
    expect(() => world.core.inbox.undo(item.number, WINDOW)).toThrow(/cannot be taken back/);
    expect(world.executor.sent[1]?.prompt).toMatch(/----- begin .*\nfinal\n----- end /);
  });

  test('rejecting the question cancels the task and its tree goes', async () => {
    const { item, task } = await asked();
    world.core.inbox.reject(item.number, {}, PERSON);
    expect(world.task(task.id)).toMatchObject({ state: 'cancelled', endedReason: 'rejected' });
    // No agent was told, so none has seen it.
    expect(world.item(item.number)).toMatchObject({ state: 'rejected', delivery: 'none' });
  });

  test('the question past the limit is a review item; three more can be allowed', async () => {
    const { task, item } = await asked({ settings: { maxQuestions: 1 } });
    world.executor.script = [{ outcome: question('And the tax?') }];
    world.core.inbox.answer(item.number, 'yes', PERSON);
    await world.untilState(task.id, 'parked');
    const review = world.open()[0];
    expect(review).toMatchObject({ kind: 'review', cause: 'too-many-questions', question: 'And the tax?' });
    world.core.inbox.resolve(review?.number ?? item.number, 'more-questions', '2', PERSON);
    const again = world.open()[0];
    expect(again).toMatchObject({ kind: 'specify', question: 'And the tax?', cycle: 2 });
    expect(world.task(task.id).state).toBe('awaiting_human');
    world.core.inbox.answer(again?.number ?? item.number, 'after tax', PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent.at(-1)?.prompt).toContain('after tax');
  });

  test('a question that its answer had settled, asked again, stops the project', async () => {
    const { project, task, item } = await asked();
    world.executor.script = [{ outcome: question('Round to 2 places?') }];
    world.core.inbox.answer(item.number, 'yes', PERSON);
    await world.untilState(task.id, 'parked');
    expect(world.open()[0]).toMatchObject({ cause: 'conversation-lost' });
    expect(world.stores.projects.get(project.id)?.isEnabled).toBe(false);
  });

  test('a session that Claude Code no longer knows is never silently begun anew', async () => {
    const { project, task, item } = await asked();
    world.executor.script = [{ outcome: failed('unknown-session') }];
    world.core.inbox.answer(item.number, 'yes', PERSON);
    await world.untilState(task.id, 'parked');
    expect(world.open()[0]).toMatchObject({ cause: 'conversation-lost' });
    expect(world.stores.projects.get(project.id)?.isEnabled).toBe(false);
    expect(world.executor.requests).toHaveLength(2);
  });

  test('failing tests go back to the agent with their tail, and count as attempts', async () => {
    await world.engine.start();
    world.commands.outcomes = [exited(1, 'expected 3 got @4'), exited(0)];
    const task = world.addTask(world.addProject({ settings: { testCommand: ['true'] } }).id);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent[1]?.prompt).toContain('> expected 3 got ＠4');
    expect(world.stores.runs.ofTask(task.id)[0]?.countedAttempts).toBe(1);
  });

  test('attempts that fail use up the task, and a retry counts from 0', async () => {
    world.executor.script = [1, 2, 3].map(() => ({ outcome: failed('no-structured-output') }));
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'parked');
    const item = world.open()[0];
    expect(item).toMatchObject({ kind: 'review', cause: 'attempts-used-up' });
    world.core.inbox.resolve(item?.number ?? (0 as never), 'retry', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent.map((each) => each.request.session)).toEqual([
      'new',
      'resume',
      'resume',
      'resume',
    ]);
  });

  test('a login failure holds the hub, counts nothing, and goes on in the same session', async () => {
    world.executor.script = [{ outcome: failed('not-logged-in') }];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.until('hold', () => world.stores.holds.list().length === 1);
    const item = world.open()[0];
    expect(item).toMatchObject({ kind: 'manual', cause: 'login', taskId: null });
    expect(world.task(task.id).state).toBe('ready');
    expect((await world.engine.idle()).onHold).toHaveLength(1);
    expect(world.executor.sent).toHaveLength(1);
    world.core.inbox.resolve(item?.number ?? (0 as never), 'check-again', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.stores.holds.list()).toEqual([]);
    expect(world.item(item?.number ?? (0 as never)).state).toBe('resolved');
    expect(world.executor.sent[1]?.request.sessionId).toBe(world.executor.sent[0]?.request.sessionId);
    expect(world.stores.runs.ofTask(task.id)[0]?.countedAttempts).toBe(0);
  });

  test('a usage limit lets one launch through at its reset time', async () => {
    const resetsAt = world.clock.now() + 3_600_000;
    world.executor.script = [{ outcome: failed('usage-limit', resetsAt) }];
    await world.engine.start();
    const project = world.addProject({ slots: 2 });
    const task = world.addTask(project.id);
    await world.until('hold', () => world.stores.holds.list().length === 1);
    world.addTask(project.id);
    expect(world.stores.holds.list()[0]).toMatchObject({
      kind: 'usage-limit',
      until: resetsAt,
      probeAt: resetsAt,
    });
    world.clock.advance(3_500_000);
    expect(world.executor.requests).toHaveLength(1);
    world.clock.advance(101_000);
    await world.untilState(task.id, 'awaiting_approval');
  });

  test('nothing is started past the budget, and the task parks with the way to raise it', async () => {
    world.executor.script = [
      { outcome: { ...done(), report: report({ turnMicroUsd: microUsd(996_000) }) } as TurnOutcome },
    ];
    await world.engine.start();
    const project = world.addProject({ settings: { budgetUsd: 1 } });
    const first = world.addTask(project.id);
    await world.untilState(first.id, 'awaiting_approval');
    expect(world.executor.requests[0]?.budgetMicroUsd).toBe(500_000);
    const second = world.addTask(project.id);
    await world.untilState(second.id, 'parked');
    const item = world.open().find((each) => each.cause === 'budget-used-up');
    world.core.inbox.resolve(item?.number ?? (0 as never), 'raise-cap', '2', PERSON);
    await world.untilState(second.id, 'awaiting_approval');
  });

  test('calls per day 0 starts nothing and raises nothing', async () => {
    await world.engine.start();
    const task = world.addTask(world.addProject({ settings: { callsPerDay: 0 } }).id);
    expect((await world.engine.idle()).onHold[0]).toContain('No calls are allowed');
    expect(world.task(task.id).state).toBe('ready');
    expect(world.executor.requests).toEqual([]);
    expect(world.open()).toEqual([]);
  });

  test('calls used up wait for midnight with one item that says so', async () => {
    await world.engine.start();
    const project = world.addProject({ settings: { callsPerDay: 1 } });
    const first = world.addTask(project.id);
    await world.untilState(first.id, 'awaiting_approval');
    const second = world.addTask(project.id);
    await world.engine.idle();
    expect(world.open().filter((item) => item.cause === 'calls-used-up')).toHaveLength(1);
    world.clock.advance(24 * 3600 * 1000);
    await world.untilState(second.id, 'awaiting_approval');
  });

  test('the kill switch puts the task back at once and its session goes on after release', async () => {
    world.executor.script = [{ hold: true }];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.until('running', () => world.executor.live === 1 && world.executor.sent.length === 1);
    const receipt = await world.core.switches.kill('lunch', PERSON);
    expect(world.task(task.id)).toMatchObject({ state: 'ready', endedReason: 'cancelled by kill switch' });
    expect(receipt.tasks).toEqual([task.id]);
    expect(world.executor.live).toBe(0);
    expect(world.killFile.read()?.reason).toBe('lunch');
    const turn = world.stores.turns.ofTask(task.id)[0];
    expect(turn).toMatchObject({ state: 'settled', costBasis: 'assumed', costMicroUsd: 500_000 });
    expect((await world.engine.idle()).onHold[0]).toContain('kill switch');
    world.core.switches.release(PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent[1]?.prompt).toContain('Continue with what was asked.');
    expect(world.executor.sent[1]?.request.sessionId).toBe(world.executor.sent[0]?.request.sessionId);
  });

  test('a kill file that appears engages the switch within a second', async () => {
    await world.engine.start();
    world.killFile.write('from outside');
    world.clock.advance(1000);
    await world.until('engaged', () => world.core.switches.status().killed !== null);
    expect(world.core.switches.status().killed?.reason).toBe('from outside');
  });

  test('an approval names its commit; another one is refused as a stale offer', async () => {
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'awaiting_approval');
    const item = world.open()[0];
    expect(() => world.core.inbox.approve(item?.number ?? (0 as never), { commit: 'other' }, PERSON)).toThrow(
      /another commit/,
    );
    expect(world.task(task.id).state).toBe('awaiting_approval');
  });

  test('work sent back goes on in the same session with the note', async () => {
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'awaiting_approval');
    world.core.inbox.sendBack(world.open()[0]?.number ?? (0 as never), 'Name it better.', PERSON);
    await world.until('second turn', () => world.executor.sent.length === 2);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent[1]?.prompt).toMatch(/----- begin .*\nName it better\.\n----- end /);
  });

  test('a merge conflict parks with nothing lost, and can be sent to the agent', async () => {
    world.workspaces.mergeOutcomes = [{ kind: 'conflict', paths: ['a.py'] }];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.untilState(task.id, 'awaiting_approval');
    world.core.inbox.approve(world.open()[0]?.number ?? (0 as never), {}, PERSON);
    await world.untilState(task.id, 'parked');
    const item = world.open()[0];
    expect(item).toMatchObject({ cause: 'merge-conflict', details: ['a.py'] });
    world.core.inbox.resolve(item?.number ?? (0 as never), 'send-back', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent.at(-1)?.prompt).toContain('> a.py');
  });

  test('a base that moved since the tests has them run again on the merged tree', async () => {
    world.workspaces.mergeOutcomes = [{ kind: 'base-moved', base: 'base1' }];
    await world.engine.start();
    const task = world.addTask(world.addProject({ settings: { testCommand: ['true'] } }).id);
    await world.untilState(task.id, 'awaiting_approval');
    world.core.inbox.approve(world.open()[0]?.number ?? (0 as never), {}, PERSON);
    await world.untilState(task.id, 'done');
    expect(world.workspaces.calls.filter((call) => call.startsWith('merge'))).toEqual([
      'merge commit1 on base0',
      'merge commit1 on base1',
    ]);
    expect(world.commands.requests).toHaveLength(2);
  });

  test('a violation is a safety stop that switches the project off', async () => {
    world.workspaces.commitOutcomes = [
      { kind: 'violations', violations: [{ rule: 'link-leads-outside', place: 'evil' }] },
    ];
    await world.engine.start();
    const project = world.addProject();
    const task = world.addTask(project.id);
    await world.untilState(task.id, 'parked');
    expect(world.open()[0]).toMatchObject({ cause: 'safety-stop', details: ['link-leads-outside: evil'] });
    expect(world.stores.projects.get(project.id)).toMatchObject({ isEnabled: false });
    world.core.inbox.resolve(world.open()[0]?.number ?? (0 as never), 'keep', null, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
  });

  test('a path outside that a tool was executed on is a safety stop, a denied one is only shown', async () => {
    world.executor.script = [
      {
        outcome: done(),
        events: [
          { kind: 'tool', id: 't1', name: 'Write', input: '{}', path: '/etc/passwd' },
          { kind: 'denied', tool: 'Write', reason: '/etc/passwd is outside' },
          { kind: 'tool-result', id: 't1', isError: true, text: 'outside' },
        ],
      },
      {
        outcome: done(),
        events: [
          { kind: 'tool', id: 't2', name: 'Write', input: '{}', path: '/etc/hosts' },
          { kind: 'tool-result', id: 't2', isError: false, text: 'ok' },
        ],
      },
    ];
    await world.engine.start();
    const project = world.addProject();
    const first = world.addTask(project.id);
    await world.untilState(first.id, 'awaiting_approval');
    expect(world.open()[0]?.offer?.notes).toEqual(['Denied Write: /etc/passwd is outside']);
    const second = world.addTask(project.id);
    await world.untilState(second.id, 'parked');
    expect(world.open().at(-1)).toMatchObject({ cause: 'safety-stop', details: ['Write /etc/hosts'] });
  });

  test('personal data in an answer is refused without being repeated, and the item stays open', async () => {
    const { item } = await asked();
    const attempt = () => world.core.inbox.answer(item.number, 'use 4111 1111 1111 1111', PERSON);
    expect(attempt).toThrow(/card-number/);
    try {
      attempt();
    } catch (error) {
      expect(isAppError(error, 'data-class-hit') && !error.message.includes('4111')).toBe(true);
    }
    expect(world.item(item.number).state).toBe('open');
  });

  test('cancelling a running task ends its process and closes its items', async () => {
    world.executor.script = [{ hold: true }];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.until('running', () => world.executor.sent.length === 1);
    await world.core.tasks.cancel(task.id, PERSON);
    expect(world.executor.live).toBe(0);
    expect(world.task(task.id).state).toBe('cancelled');
  });

  test('an interrupted task rests parked without an item and goes on by retry in its session', async () => {
    world.executor.script = [{ hold: true }];
    await world.engine.start();
    const task = world.addTask(world.addProject().id);
    await world.until('running', () => world.executor.sent.length === 1);
    await world.core.tasks.interrupt(task.id, PERSON);
    expect(world.task(task.id)).toMatchObject({ state: 'parked', endedReason: 'interrupted' });
    expect(world.open()).toEqual([]);
    await world.core.tasks.retry(task.id, { fresh: false }, PERSON);
    await world.untilState(task.id, 'awaiting_approval');
    expect(world.executor.sent[1]?.request.sessionId).toBe(world.executor.sent[0]?.request.sessionId);
  });

  test('a stall raises one item with the probable cause and closes when something moves', async () => {
    world.executor.script = [
      {
        hold: true,
        events: [
          { kind: 'retry', attempt: 1, maxRetries: 3, delayMs: 500, status: 529, error: 'overloaded' },
        ],
      },
    ];
    await world.engine.start();
    world.addTask(world.addProject().id);
    await world.until('running', () => world.executor.sent.length === 1);
    await world.clock.advanceAsync(7 * 60_000, 30_000);
    await world.until('stall', () => world.open().length === 1);
    expect(world.open()[0]).toMatchObject({ cause: 'stall' });
    expect(world.open()[0]?.question).toContain('overloaded');
    await world.clock.advanceAsync(7 * 60_000, 30_000);
    expect(world.open()).toHaveLength(1);
  });
});
