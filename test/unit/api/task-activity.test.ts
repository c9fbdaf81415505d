import { describe, expect, test } from 'vitest';
import type { TurnEvent } from '../../../src-main/core/ports/harness.ts';
import type { TestRun } from '../../../src-main/core/ports/stores.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { millis } from '../../../src-shared/time.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { ApiWorld } from '../../support/api-world.ts';

const said = (text: string): TurnEvent => ({ kind: 'assistant', text });

function worldWithEvents(count: number): { world: ApiWorld; task: Task; other: Task } {
  const world = new ApiWorld();
  const project = world.services.addProject();
  const task = world.services.addTask(project, { state: 'running' });
  const other = world.services.addTask(project, { state: 'running' });
  const turn = world.services.addTurn(task, { from: world.services.clock.now(), to: null });
  const ofOther = world.services.addTurn(other, { from: world.services.clock.now(), to: null });
  for (let index = 1; index <= count; index += 1) {
    world.addEvents(task, turn, [said(`line ${index}`)]);
    world.addEvents(other, ofOther, [said('of another task')]);
  }
  return { world, task, other };
}

describe('the timeline of a task', () => {
  test('begins with the newest page, in order, and says how many there are', async () => {
    const { world, task } = worldWithEvents(7);
    using _ = world;
    const page = await world.call.task.events({ task: task.number, limit: 3 });
    expect(page.events.map((event) => event.text)).toEqual(['line 5', 'line 6', 'line 7']);
    expect({ ...page, events: 0, turns: page.turns.length }).toEqual({
      taskId: task.id,
      events: 0,
      hasOlder: true,
      hasNewer: false,
      total: 7,
      lastId: page.events.at(-1)?.id,
      turns: 1,
    });
  });

  test('is whole and in order, whichever way and in whatever pages it is read', async () => {
    const { world, task } = worldWithEvents(23);
    using _ = world;
    const whole = Array.from({ length: 23 }, (_each, index) => `line ${index + 1}`);
    for (const limit of [1, 4, 23, 50]) {
      const forward: string[] = [];
      for (let after: number | undefined = 0; after !== undefined;) {
        const page = await world.call.task.events({ task: task.number, after, limit });
        forward.push(...page.events.map((event) => event.text));
        after = page.hasNewer ? page.events.at(-1)?.id : undefined;
      }
      const backward: string[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined;) {
        const page = await world.call.task.events({ task: task.number, before, limit });
        backward.unshift(...page.events.map((event) => event.text));
        before = page.hasOlder ? page.events[0]?.id : undefined;
      }
      expect({ forward, backward }).toEqual({ forward: whole, backward: whole });
    }
  });

  test('of a task without events is empty', async () => {
    using world = new ApiWorld();
    const task = world.services.addTask(world.services.addProject());
    expect(await world.call.task.events({ task: task.number })).toEqual({
      taskId: task.id,
      events: [],
      hasOlder: false,
      hasNewer: false,
      total: 0,
      lastId: 0,
      turns: [],
    });
  });

  test('refuses two directions at once', async () => {
    const { world, task } = worldWithEvents(1);
    using _ = world;
    await expect(world.call.task.events({ task: task.number, after: 1, before: 2 })).rejects.toThrow();
  });

  test('gives the whole of one event when it is asked for', async () => {
    const { world, task } = worldWithEvents(1);
    using _ = world;
    const [turn] = world.stores.turns.ofTask(task.id);
    if (turn === undefined) throw new Error('no turn');
    const text = 'x'.repeat(5000);
    world.addEvents(task, turn, [said(text)]);
    const page = await world.call.task.events({ task: task.number, limit: 1 });
    const [event] = page.events;
    expect({ isCut: event?.isCut, chars: event?.chars, length: event?.text.length }).toEqual({
      isCut: true,
      chars: 5000,
      length: 400,
    });
    const whole = await world.call.task.event({ id: event?.id ?? 0 });
    expect({ taskId: whole.taskId, whole: whole.whole }).toEqual({ taskId: task.id, whole: text });
    await expect(world.call.task.event({ id: 999_999 })).rejects.toThrow('There is no event 999999');
  });
});

describe('following a task', () => {
  async function take(
    world: ApiWorld,
    input: { task: number; lastEventId?: string },
    count: number,
    then?: () => void,
  ) {
    const events = await world.call.task.follow(input);
    const taken: { id: string; text: string }[] = [];
    queueMicrotask(() => then?.());
    for await (const [id, event] of events as AsyncIterable<[string, { text: string }, symbol]>) {
      taken.push({ id, text: event.text });
      if (taken.length === count) break;
    }
    return taken;
  }

  test('goes on after the last event seen, without loss or repetition', async () => {
    const { world, task } = worldWithEvents(6);
    using _ = world;
    const page = await world.call.task.events({ task: task.number, after: 0, limit: 4 });
    const rest = await take(world, { task: task.number, lastEventId: String(page.events.at(-1)?.id) }, 2);
    expect(rest.map((event) => event.text)).toEqual(['line 5', 'line 6']);
  });

  test('without a cursor brings only what is new, as soon as a change is told', async () => {
    const { world, task } = worldWithEvents(3);
    using _ = world;
    const [turn] = world.stores.turns.ofTask(task.id);
    if (turn === undefined) throw new Error('no turn');
    const brought = await take(world, { task: task.number }, 1, () => {
      world.addEvents(task, turn, [said('new')]);
      world.feed.taskChanged(task.id);
    });
    expect(brought.map((event) => event.text)).toEqual(['new']);
    expect(world.feed.listeners).toBe(0);
  });
});

function addTestRun(world: ApiWorld, task: Task, given: Partial<TestRun> = {}): TestRun {
  const turn = world.stores.turns.ofTask(task.id)[0] ?? world.services.addTurn(task, { from: 1, to: 2 });
  const at = world.services.clock.now();
  const run: TestRun = {
    id: world.services.ids.next('testRun'),
    taskId: task.id,
    runId: turn.runId,
    attemptId: turn.attemptId,
    purpose: 'test',
    commit: null,
    pid: null,
    processStart: null,
    state: 'passed',
    exitCode: 0,
    confinement: null,
    outputHash: null,
    tail: '',
    lockWaitMs: 0,
    startedAt: at,
    endedAt: at,
    ...given,
  };
  world.stores.testRuns.insert(run);
  return run;
}

describe('test runs of a task', () => {
  test('come newest first with how they ended and how long they took', async () => {
    using world = new ApiWorld();
    const project = world.services.addProject({ settings: { testCommand: ['npm', 'test'] } });
    const task = world.services.addTask(project);
    const startedAt = world.services.clock.now();
    const failed = addTestRun(world, task, { state: 'failed', exitCode: 1, tail: '1 failed' });
    world.services.clock.advance(millis(2500));
    const passed = addTestRun(world, task, {
      startedAt,
      endedAt: world.services.clock.now(),
      lockWaitMs: 12,
    });

    const runs = await world.call.task.tests({ task: task.number });

    expect(
      runs.map(({ id, state, durationMs, tail, command }) => ({ id, state, durationMs, tail, command })),
    ).toEqual([
      { id: passed.id, state: 'passed', durationMs: 2500, tail: '', command: ['npm', 'test'] },
      { id: failed.id, state: 'failed', durationMs: 0, tail: '1 failed', command: ['npm', 'test'] },
    ]);
  });

  test('have their whole output in parts that put together are the output', async () => {
    using world = new ApiWorld();
    const task = world.services.addTask(world.services.addProject());
    const output = 'ok 😀 line\n'.repeat(50);
    const outputHash = await world.context.artifacts.write(output);
    const run = addTestRun(world, task, { outputHash, tail: output.slice(-20) });
    let text = '';
    for (let offset: number | null = 0; offset !== null;) {
      const part: { text: string; nextOffset: number | null; total: number } =
        await world.call.task.testOutput({
          run: run.id,
          offset,
          limit: 37,
        });
      expect(part.total).toBe(output.length);
      text += part.text;
      offset = part.nextOffset;
    }
    expect(text).toBe(output);
  });

  test('whose output was deleted still have its end', async () => {
    using world = new ApiWorld();
    const run = addTestRun(world, world.services.addTask(world.services.addProject()), { tail: 'the end' });
    expect(await world.call.task.testOutput({ run: run.id })).toMatchObject({
      text: 'the end',
      nextOffset: null,
    });
    await expect(world.call.task.testOutput({ run: 'tst_none' })).rejects.toThrow(
      'There is no test run tst_none',
    );
  });
});

describe('what runs a task', () => {
  test('is known of the agent alone before anything ran', async () => {
    using world = new ApiWorld();
    const task = world.services.addTask(world.services.addProject({ settings: { model: 'opus' } }));
    expect(await world.call.task.harness({ task: task.number })).toEqual({
      harness: 'claude-code',
      agent: 'claude',
      agentName: 'Claude Code',
      model: 'opus',
    });
  });

  test('is told by the session, its newest reply and its newest result, and by nothing that came before', async () => {
    using world = new ApiWorld();
    const { clock } = world.services;
    const task = world.services.addTask(world.services.addProject());
    const first = world.services.addTurn(task, {
      from: clock.now(),
      to: clock.now() + 1,
      launch: { argv: ['/bin/claude', '-p'] },
    });
    world.addEvents(task, first, [
      {
        kind: 'session',
        sessionId: first.sessionId,
        model: 'claude-sonnet-5',
        version: '2.1.332',
        tools: [],
      },
      said('hello'),
    ]);
    clock.advance(millis(60_000));
    const second = world.services.addTurn(task, {
      from: clock.now(),
      to: null,
      launch: { argv: ['/opt/claude', '-p'] },
    });
    world.addEvents(task, second, [
      { kind: 'session', sessionId: second.sessionId, model: 'claude-opus-5', version: '2.1.340', tools: [] },
      {
        kind: 'usage',
        model: 'claude-opus-5',
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 100,
        cacheWriteTokens: 1,
      },
      said('on it'),
    ]);
    world.stores.ledger.append({
      kind: 'harness.result',
      taskId: task.id,
      sessionId: second.sessionId,
      data: {
        costMicroUsd: microUsd(1),
        usageByModel: [
          { model: 'a', inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
          { model: 'b', inputTokens: 10, outputTokens: 20, cacheReadTokens: 30, cacheWriteTokens: 40 },
        ],
      },
    });

    expect(await world.call.task.harness({ task: task.number })).toEqual({
      harness: 'claude-code',
      agent: 'claude',
      agentName: 'Claude Code',
      model: 'sonnet',
      attempt: 1,
      sessionId: second.sessionId,
      effectiveModel: 'claude-opus-5',
      version: '2.1.340',
      executable: '/opt/claude',
      tokens: { input: 11, output: 22, cacheRead: 33, cacheWrite: 44 },
      contextTokens: 116,
    });
  });
});
