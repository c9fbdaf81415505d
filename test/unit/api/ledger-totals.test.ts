import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerTotalsView } from '../../../src-shared/api/totals.ts';
import type { ItemNumber } from '../../../src-shared/ids.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Task, Turn } from '../../../src-shared/model/task.ts';
import { epochMs, millis } from '../../../src-shared/time.ts';
import { ApiWorld } from '../../support/api-world.ts';

const HOUR = 3600 * 1000;

/** One thing that happens; amounts in micro-dollars, times in milliseconds. */
const Act = fc.record({
  later: fc.integer({ min: 0, max: 30 * HOUR }),
  task: fc.integer({ min: 0, max: 3 }),
  what: fc.oneof(
    fc.record({
      kind: fc.constant('cost' as const),
      micro: fc.integer({ min: 0, max: 2_000_000 }),
      basis: fc.constantFrom('reported' as const, 'assumed' as const),
      model: fc.constantFrom('sonnet', 'opus'),
    }),
    fc.record({
      kind: fc.constant('relay' as const),
      waited: fc.integer({ min: 0, max: 3 * HOUR }),
      isTakenBack: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('lock' as const), waited: fc.integer({ min: 0, max: HOUR }) }),
    fc.record({ kind: fc.constant('call' as const) }),
  ),
});
type Act = typeof Act extends fc.Arbitrary<infer T> ? T : never;

interface Happened {
  readonly day: string;
  readonly project: Project;
  readonly what: Act['what'];
}

function play(
  world: ApiWorld,
  acts: readonly Act[],
): { readonly happened: readonly Happened[]; readonly tasks: readonly Task[] } {
  const { services, stores } = world;
  const { clock } = services;
  const projects = [services.addProject(), services.addProject()] as const;
  const tasks = [0, 1, 2, 3].map((each) => services.addTask(projects[each % 2 === 0 ? 0 : 1]));
  const happened: Happened[] = [];
  for (const { later, task: which, what } of acts) {
    clock.advance(millis(later));
    const task = tasks[which];
    const project = projects[which % 2 === 0 ? 0 : 1];
    if (task === undefined) continue;
    const fact = { projectId: project.id, project: project.name, taskId: task.id };
    switch (what.kind) {
      case 'cost': {
        const turn = services.addTurn(task, {
          from: clock.now(),
          to: clock.now(),
          costMicroUsd: what.micro,
          costBasis: what.basis,
        });
        const data = { turn: turn.id, model: what.model, costMicroUsd: what.micro, costBasis: what.basis };
        stores.ledger.append({ ...fact, kind: 'harness.result', data });
        break;
      }
      case 'relay': {
        const item = services.addItem(task, { raisedAt: clock.now() });
        const respond = (number: ItemNumber) =>
          stores.ledger.append({
            ...fact,
            kind: 'item.responded',
            item: number,
            data: { kind: 'specify', waitedMs: what.waited },
          });
        if (what.isTakenBack) {
          respond(item.number);
          stores.ledger.append({ ...fact, kind: 'item.undone', item: item.number });
        }
        clock.advance(millis(what.waited));
        respond(item.number);
        stores.items.update({
          ...item,
          state: 'answered',
          respondedAt: clock.now(),
          respondedBy: 'asha',
          respondedVia: 'web',
        });
        break;
      }
      case 'lock':
        stores.ledger.append({ ...fact, kind: 'account.lock_wait', data: { waitedMs: what.waited } });
        break;
      case 'call':
        stores.ledger.append({ ...fact, kind: 'harness.start', data: {} });
        break;
    }
    happened.push({ day: clock.localDay(clock.now()), project, what });
  }
  return { happened, tasks };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const costOf = (happened: readonly Happened[], basis: string, model?: string): number =>
  sum(
    happened.map(({ what }) =>
      what.kind === 'cost' && what.basis === basis && (model === undefined || what.model === model)
        ? what.micro
        : 0,
    ),
  ) / 1e6;
const waitsIn = (happened: readonly Happened[], kind: 'relay' | 'lock'): readonly number[] =>
  happened.flatMap(({ what }) => (what.kind === kind ? [what.waited / 1000] : [])).sort((a, b) => a - b);
const callsIn = (happened: readonly Happened[]): number =>
  happened.filter(({ what }) => what.kind === 'call').length;

/** Money in dollars adds up with dust behind the sixth place. */
const cents = (usd: number): number => Math.round(usd * 1e6);

describe('the totals of the ledger', () => {
  test('are what the entries of the range add up to, by day, project and model', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(Act, { maxLength: 25 }),
        fc.integer({ min: 1, max: 20 }),
        async (acts, days) => {
          using world = new ApiWorld();
          const { happened } = play(world, acts);
          const totals = await world.call.ledger.totals({ days });
          const inRange = happened.filter(({ day }) => day >= totals.from && day <= totals.to);

          expect(totals.days).toHaveLength(days);
          for (const shown of totals.days) {
            const own = inRange.filter(({ day }) => day === shown.day);
            expect([cents(shown.reportedUsd), cents(shown.assumedUsd), shown.calls]).toEqual([
              cents(costOf(own, 'reported')),
              cents(costOf(own, 'assumed')),
              callsIn(own),
            ]);
            expect(cents(sum(shown.models.map((each) => each.reportedUsd)))).toBe(cents(shown.reportedUsd));
          }
          for (const shown of totals.models) {
            expect(cents(shown.reportedUsd)).toBe(cents(costOf(inRange, 'reported', String(shown.model))));
          }
          for (const shown of totals.projects) {
            const own = inRange.filter(({ project }) => project.id === shown.projectId);
            expect([cents(shown.reportedUsd), cents(shown.assumedUsd), shown.calls]).toEqual([
              cents(costOf(own, 'reported')),
              cents(costOf(own, 'assumed')),
              callsIn(own),
            ]);
          }
          expect(totals.figures.lockWait).toMatchObject({
            count: waitsIn(inRange, 'lock').length,
            sumS: expect.closeTo(sum(waitsIn(inRange, 'lock')), 6) as number,
            longestS: waitsIn(inRange, 'lock').at(-1) ?? null,
          });
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test('say what the relay report says, of everything and of one project', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Act, { minLength: 1, maxLength: 25 }), async (acts) => {
        using world = new ApiWorld();
        const { tasks } = play(world, acts);
        const [first] = world.stores.projects.list();
        const since = '2020-01-01T00:00:00.000Z';
        const pairs: [LedgerTotalsView, Awaited<ReturnType<typeof world.call.report.relay>>][] = [
          [await world.call.ledger.totals({ since }), await world.call.report.relay({})],
          [
            await world.call.ledger.totals({ since, project: first?.name ?? '' }),
            await world.call.report.relay({ projects: [first?.name ?? ''] }),
          ],
        ];
        for (const [{ figures, relayWaits }, report] of pairs) {
          const waits = report.tasks.flatMap((task) => task.waitedS).sort((a, b) => a - b);
          expect({
            cost: cents(figures.cost.reportedUsd + figures.cost.assumedUsd),
            assumed: cents(figures.cost.assumedUsd),
            touches: figures.touches.all,
            waits: figures.relayWait.count,
            waitedS: Math.round(figures.relayWait.sumS * 1000),
            longestS: figures.relayWait.longestS,
            lockWaitS: Math.round(figures.lockWait.sumS * 1000),
            byProject: sum(relayWaits.projects.map(({ count }) => count)),
            byClass: sum(relayWaits.classes.map(({ count }) => count)),
          }).toEqual({
            cost: cents(report.totals.costUsd),
            assumed: cents(report.totals.assumedUsd),
            touches: report.totals.touches,
            waits: waits.length,
            waitedS: Math.round(report.totals.waitedS * 1000),
            longestS: waits.at(-1) ?? null,
            lockWaitS: Math.round(report.totals.lockWaitS * 1000),
            byProject: waits.length,
            byClass: waits.length,
          });
        }
        expect(tasks).toHaveLength(4);
      }),
      { numRuns: 25 },
    );
  }, 60_000);

  test('call a cost what the views of a task and the relay report call one, with its assumed part', async () => {
    using world = new ApiWorld();
    const task = world.services.addTask(world.services.addProject());
    const item = world.services.addItem(task);
    const booked: readonly [number, Turn['costBasis']][] = [
      [30_000, 'reported'],
      [500_000, 'assumed'],
      [12_000, 'reported'],
      [0, 'none'],
    ];
    for (const [costMicroUsd, costBasis] of booked) {
      const now = world.services.clock.now();
      world.services.addTurn(task, { from: now, to: now, costMicroUsd, costBasis });
      world.stores.ledger.append({
        kind: 'harness.result',
        projectId: task.projectId,
        taskId: task.id,
        data: { costMicroUsd, costBasis },
      });
    }
    const project = await world.call.project.show({ project: task.projectId });
    const shown = await world.call.task.show({ task: task.id });
    const report = await world.call.report.relay({});
    const [row] = report.tasks;
    const { facts } = await world.call.inbox.context({ item: item.number });
    const { cost } = (await world.call.ledger.totals({})).figures;
    const summary = (await world.call.hub.summary()).cost;
    expect([
      [shown.costUsd, shown.assumedUsd],
      [row?.costUsd, row?.assumedUsd],
      [report.totals.costUsd, report.totals.assumedUsd],
      [facts.cost.taskUsd, facts.cost.assumedUsd],
      [project.spentUsd, project.assumedUsd],
      [summary.todayUsd, summary.assumedUsd],
      [cost.reportedUsd + cost.assumedUsd, cost.assumedUsd],
    ]).toEqual(Array.from({ length: 7 }, () => [0.542, 0.5]));
  });

  test('count approvals, what was sent back, and how long it took from ready to the first offer', async () => {
    using world = new ApiWorld();
    const { services, stores } = world;
    const { clock } = services;
    const start = clock.now();
    const project = services.addProject();
    const task = services.addTask(project, { state: 'done', readyAt: start });
    stores.ledger.append({ kind: 'harness.start', projectId: project.id, taskId: task.id });
    const question = services.addItem(task, {
      state: 'answered',
      raisedAt: epochMs(start + 60_000),
      respondedAt: epochMs(start + 240_000),
      respondedVia: 'cli',
    });
    stores.ledger.append({ kind: 'item.responded', projectId: project.id, item: question.number });
    const offers = (['sent_back', 'approved'] as const).map((state) => {
      const offer = services.addItem(task, {
        kind: 'approve',
        state,
        raisedAt: epochMs(start + 600_000),
        respondedAt: epochMs(start + 700_000),
        respondedVia: 'web',
      });
      stores.ledger.append({ kind: 'item.raised', projectId: project.id, item: offer.number });
      stores.ledger.append({ kind: 'item.responded', projectId: project.id, item: offer.number });
      return offer;
    });
    expect(offers).toHaveLength(2);

    const { figures, relayWaits } = await world.call.ledger.totals({});

    expect({ tasks: figures.tasks, touches: figures.touches, ready: figures.readyToApprove }).toEqual({
      tasks: { worked: 1, approved: 1, sentBack: 1, cancelled: 0 },
      touches: { all: 3, answers: 1, approvals: 1 },
      ready: { count: 1, medianS: 600, medianWithoutWaitsS: 420 },
    });
    expect(relayWaits.newest.map(({ item, waitedS, via }) => ({ item, waitedS, via }))).toEqual([
      { item: question.number, waitedS: 180, via: 'cli' },
    ]);
  });

  test('take either days or a moment', async () => {
    using world = new ApiWorld();
    await expect(world.call.ledger.totals({ days: 3, since: '2026-03-01T00:00:00Z' })).rejects.toThrow();
    expect(
      (await world.call.ledger.totals({ since: '2026-02-28T12:00:00Z' })).days.map(({ day }) => day),
    ).toEqual(['2026-02-28', '2026-03-01', '2026-03-02']);
  });
});
