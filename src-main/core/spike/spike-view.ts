import type { LedgerData } from '../../../src-shared/model/ledger-entry.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { addMoney, type MicroUsd } from '../../../src-shared/money.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import { SAFETY_CAUSES } from '../inbox/item-actions.ts';
import { currentDay } from '../limits/spending.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { relayRow, spansOf } from '../report/relay-report.ts';
import { hasSucceeded, type SpikeTask, type SpikeView } from './decide-spike.ts';

export interface SpikeViews {
  /** Removed ones too. */
  projectsOf(spike: Spike): readonly Project[];
  /** All of its projects, in whatever state. */
  tasksOf(spike: Spike): readonly Task[];
  /** Booked over its projects since its start. */
  booked(spike: Spike): MicroUsd;
  /** Calls of its projects today from its start to its end; what they call later is not its own. */
  callsToday(spike: Spike): number;
  viewOf(spike: Spike): SpikeView;
  /** What it came to, in figures only, for the ledger. */
  reportOf(spike: Spike): LedgerData;
}

/** Reads what decisions about a spike rest on, as it is stored now. */
export function createSpikeViews(deps: Pick<CoreDeps, 'stores' | 'clock'>): SpikeViews {
  const { stores, clock } = deps;
  const projectsOf = (spike: Spike): readonly Project[] =>
    spike.projectIds.flatMap((id) => stores.projects.get(id) ?? []);
  const tasksOf = (spike: Spike): readonly Task[] =>
    spike.projectIds.flatMap((projectId) => stores.tasks.list({ projectId }));
  const isDuring = (spike: Spike, at: EpochMs): boolean =>
    at >= spike.startedAt && (spike.endedAt === null || at <= spike.endedAt);

  const callsToday = (spike: Spike): number =>
    stores.launches.callsOn(currentDay(stores, clock), {
      projectIds: spike.projectIds,
      since: spike.startedAt,
      ...(spike.endedAt === null ? {} : { until: spike.endedAt }),
    });
  /** Once it has ended its projects may go on spending, which is no longer its own. */
  const booked = (spike: Spike): MicroUsd =>
    spike.endedAt === null
      ? stores.turns.booked({ projectIds: spike.projectIds, since: spike.startedAt })
      : addMoney(
          ...tasksOf(spike)
            .flatMap((task) => stores.turns.ofTask(task.id))
            .filter((turn) => turn.endedAt !== null && isDuring(spike, turn.endedAt))
            .map((turn) => turn.costMicroUsd),
        );

  const ranTasks = (spike: Spike, now: EpochMs): readonly SpikeTask[] =>
    tasksOf(spike)
      .flatMap((task) => {
        const launches = stores.launches.ofTask(task.id).filter((each) => isDuring(spike, each.startedAt));
        const spans = spansOf(launches, now);
        const [first] = [...spans].sort((a, b) => a.from - b.from);
        if (first === undefined) return [];
        const items = stores.items.list({ taskId: task.id }).filter((item) => isDuring(spike, item.raisedAt));
        return {
          from: first.from,
          ran: {
            projectId: task.projectId,
            answered: items.filter((item) => item.kind === 'specify' && item.state === 'answered').length,
            hasApproveItem: items.some((item) => item.kind === 'approve'),
            spans,
          },
        };
      })
      .sort((a, b) => a.from - b.from)
      .map((each) => each.ran);

  const safetyStop = (spike: Spike): string | null => {
    for (const projectId of spike.projectIds) {
      const item = stores.items
        .list({ projectId, kinds: ['review'] })
        .find(
          (each) => each.raisedAt >= spike.startedAt && each.cause !== null && SAFETY_CAUSES.has(each.cause),
        );
      if (item !== undefined) return `${item.cause} (item ${item.number})`;
      const [entry] = stores.ledger.page({
        projectId,
        kind: 'safety.stop',
        since: spike.startedAt,
        limit: 1,
      });
      if (entry !== undefined) return `safety stop (ledger entry ${entry.seq})`;
    }
    return null;
  };

  const viewOf = (spike: Spike): SpikeView => {
    const now = clock.now();
    const ids = new Set(spike.projectIds);
    return {
      now,
      projectIds: spike.projectIds,
      budgetMicroUsd: spike.budgetMicroUsd,
      callsPerDay: spike.callsPerDay,
      endsAt: spike.endsAt,
      bookedMicroUsd: booked(spike),
      callsToday: callsToday(spike),
      runningTurns: stores.turns.running().filter((turn) => ids.has(turn.projectId)).length,
      safetyStop: safetyStop(spike),
      tasks: ranTasks(spike, now),
    };
  };

  const reportOf = (spike: Spike): LedgerData => {
    const rows = tasksOf(spike).map((task) =>
      relayRow({
        task,
        project: '',
        items: stores.items.list({ taskId: task.id }).filter((each) => each.raisedAt >= spike.startedAt),
        turns: stores.turns.ofTask(task.id).filter((each) => each.startedAt >= spike.startedAt),
        lockWaitMs: 0,
      }),
    );
    const sum = (of: (row: (typeof rows)[number]) => number): number =>
      rows.reduce((total, row) => total + of(row), 0);
    return {
      tasks: ranTasks(spike, clock.now()).length,
      cycles: sum((row) => row.cycles),
      touches: sum((row) => row.touches),
      waitedMs: Math.round(sum((row) => row.waitedS.reduce((total, each) => total + each, 0)) * 1000),
      costMicroUsd: sum((row) => row.costMicroUsd),
      assumedMicroUsd: sum((row) => row.assumedMicroUsd),
      isSuccess: hasSucceeded(viewOf(spike)),
    };
  };

  return { projectsOf, tasksOf, booked, callsToday, viewOf, reportOf };
}
