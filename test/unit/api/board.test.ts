import { describe, expect, test } from 'vitest';
import { isoTime, millis } from '../../../src-shared/time.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { PERSON } from '../../support/service-world.ts';
import { makeSpike } from '../../support/core-builders.ts';

describe('the board', () => {
  test('shows who runs in a slot since when, with the newest line that says something', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject({ name: 'h1-a', slots: 2 });
    const task = services.addTask(project, { state: 'running', title: 'round the totals' });
    const turn = services.addTurn(task, { from: services.clock.now(), to: null });
    services.clock.advance(millis(12_000));
    world.addEvents(task, turn, [
      { kind: 'assistant', text: 'I will read the module first.' },
      { kind: 'tool', id: 'a', name: 'Read', input: '{"file_path":"src/lines.ts"}', path: 'src/lines.ts' },
      { kind: 'tool-result', id: 'a', isError: false, text: 'export const lines = 1;' },
      {
        kind: 'usage',
        model: 'sonnet',
        inputTokens: 1,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      },
    ]);

    const board = await world.call.board.show();

    const [shown] = board.projects;
    expect({ ...board, projects: board.projects.length }).toEqual({
      at: isoTime(services.clock.now()),
      projects: 1,
      slots: 2,
      slotsInUse: 1,
      queued: 0,
    });
    expect(shown?.project.name).toBe('h1-a');
    expect(shown?.slots).toEqual([
      {
        id: task.id,
        number: task.number,
        title: 'round the totals',
        state: 'running',
        phase: 'turn',
        since: isoTime(turn.startedAt),
        agent: 'claude',
        agentName: 'Claude Code',
        model: 'sonnet',
        sessionId: turn.sessionId,
        attempt: 1,
        last: expect.objectContaining({
          kind: 'tool',
          tool: 'Read',
          path: 'src/lines.ts',
          text: 'src/lines.ts',
        }) as unknown,
      },
    ]);
  });

  test('lists the queue as dispatch takes it: answers before fresh starts', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject();
    const fresh = services.addTask(project, { title: 'fresh' });
    const answered = services.addTask(project, { title: 'answered' });
    services.addTurn(answered, { from: 1, to: 2 });
    const [run] = world.stores.runs.ofTask(answered.id);
    if (run === undefined) throw new Error('the task has no run');
    const item = services.addItem(answered, { state: 'answered' });
    world.stores.runs.update({ ...run, nextTurn: { kind: 'answer', item: item.number } });
    world.stores.tasks.update({ ...answered, runId: run.id });

    const [shown] = (await world.call.board.show()).projects;

    expect(shown?.queue.map(({ number, next }) => ({ number, next }))).toEqual([
      { number: answered.number, next: 'answer' },
      { number: fresh.number, next: 'start' },
    ]);
    expect(shown?.queued).toBe(2);
  });

  test('names what waits for a person, why, and counts drafts and open items', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject();
    const parked = services.addTask(project, { state: 'parked', endedReason: 'interrupted' });
    const asking = services.addTask(project, { state: 'awaiting_human' });
    services.addTask(project, { state: 'draft' });
    services.addTask(project, { state: 'done' });
    const item = services.addItem(asking);

    const [shown] = (await world.call.board.show()).projects;

    expect(
      shown?.waiting.map(({ number, state, reason, items }) => ({ number, state, reason, items })),
    ).toEqual([
      { number: parked.number, state: 'parked', reason: 'interrupted', items: [] },
      { number: asking.number, state: 'awaiting_human', reason: null, items: [item.number] },
    ]);
    expect({ openItems: shown?.openItems, drafts: shown?.drafts }).toEqual({ openItems: 1, drafts: 1 });
  });

  test('a task that has left its slot with a process that lives on still holds it', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject();
    const task = services.addTask(project, { state: 'ready' });
    services.addTurn(task, { from: 1, to: null });

    const [shown] = (await world.call.board.show()).projects;

    expect(shown?.slots.map(({ number, phase }) => ({ number, phase }))).toEqual([
      { number: task.number, phase: 'ending' },
    ]);
    expect(shown?.project.slotsInUse).toBe(1);
  });
});

describe('the summary', () => {
  test('counts what runs and waits, per project and over all, and lists the newest items first', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const one = services.addProject({ name: 'one' });
    const two = services.addProject({ name: 'two', isEnabled: false });
    const running = services.addTask(one, { state: 'running' });
    services.addTurn(running, { from: services.clock.now(), to: null });
    const asking = services.addTask(one, { state: 'awaiting_human', title: 'ask' });
    services.addItem(asking);
    const newest = services.addItem(asking, { kind: 'review', cause: 'stall' });

    const summary = await world.call.hub.summary();

    expect({ running: summary.running, waiting: summary.waiting, killed: summary.killed }).toEqual({
      running: 1,
      waiting: 2,
      killed: null,
    });
    expect(
      summary.projects.map(({ name, enabled, inUse, waiting }) => ({ name, enabled, inUse, waiting })),
    ).toEqual([
      { name: one.name, enabled: true, inUse: 1, waiting: 2 },
      { name: two.name, enabled: false, inUse: 0, waiting: 0 },
    ]);
    expect(summary.newest.map(({ number, title }) => ({ number, title }))[0]).toEqual({
      number: newest.number,
      title: 'ask',
    });
    expect(summary.calls).toEqual({ used: 1, limit: 20, of: 'agents' });
  });

  test("while a spike runs its own calls stand against the spike's number", async () => {
    using world = new ApiWorld();
    const { services } = world;
    const inside = services.addProject();
    const outside = services.addProject();
    const now = services.clock.now();
    services.addTurn(services.addTask(inside, { state: 'done' }), { from: now, to: now + 1 });
    services.addTurn(services.addTask(outside, { state: 'done' }), { from: now, to: now + 1 });
    world.stores.spikes.put(makeSpike({ projectIds: [inside.id], startedAt: now, callsPerDay: 7 }));

    expect((await world.call.hub.summary()).calls).toEqual({ used: 1, limit: 7, of: 'spike' });
  });

  test('says what today cost, the assumed part of it, and nothing of other days', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const project = services.addProject();
    const book = (costMicroUsd: number, costBasis: string): void =>
      void world.stores.ledger.append({
        kind: 'harness.result',
        projectId: project.id,
        data: { costMicroUsd: microUsd(costMicroUsd), costBasis },
      });
    book(9_000_000, 'reported');
    services.clock.advance(millis(26 * 3600 * 1000));
    book(300_000, 'reported');
    book(120_000, 'assumed');

    expect((await world.call.hub.summary()).cost).toEqual({ todayUsd: 0.42, assumedUsd: 0.12 });
  });

  test('a pause counts the turns that it lets run to their end', async () => {
    using world = new ApiWorld();
    const { services } = world;
    const paused = services.addProject();
    const other = services.addProject();
    for (const project of [paused, other]) {
      services.addTurn(services.addTask(project, { state: 'running' }), { from: 1, to: null });
    }
    world.core.switches.pause(paused.id, PERSON);
    expect((await world.call.hub.summary()).pausing).toBe(1);

    world.core.switches.pause(null, PERSON);
    expect((await world.call.hub.summary()).pausing).toBe(2);
  });

  test('after a kill it names the processes that live on, until they are gone', async () => {
    using world = new ApiWorld();
    world.marked.push({ pid: 77, processStart: '1', mark: 'm' });
    await world.call.hub.kill({ reason: 'enough' });
    const killed = await world.call.hub.summary();
    expect({ killed: killed.killed?.reason, survivors: killed.survivors }).toEqual({
      killed: 'enough',
      survivors: [77],
    });

    world.marked.length = 0;
    expect((await world.call.hub.summary()).survivors).toEqual([]);
  });
});
