import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { Item, ItemState } from '../../../src-shared/model/item.ts';
import type { Launch, Task, Turn } from '../../../src-shared/model/task.ts';
import { secondsBetween, type EpochMs } from '../../../src-shared/time.ts';
import { sumsOfEntry } from '../ledger/totals.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { LedgerStore } from '../ports/ledger-store.ts';
import type { RelayReport, RelayReportRow, ReportService } from '../services.ts';
import { bookedMoney } from './booked-money.ts';
import { overlapOf, type ProcessSpan } from './overlap.ts';

/** States in which an item was decided, by whomever. */
const DECIDED: ReadonlySet<ItemState> = new Set([
  'answered',
  'approved',
  'rejected',
  'sent_back',
  'allowed',
  'denied',
  'resolved',
]);

/**
 * One task's row, from what is stored of it.
 *
 * Cycles are questions raised as items; touches are answers and decisions of a person, not those of Signalbox
 * itself; waits are those of answered questions, from raised to the final response.
 *
 * @param items of the task, oldest first
 */
export function relayRow(view: {
  readonly task: Task;
  readonly project: string;
  readonly items: readonly Item[];
  readonly turns: readonly Turn[];
  readonly lockWaitMs: number;
}): RelayReportRow {
  const { task, items, turns } = view;
  const questions = items.filter((item) => item.kind === 'specify');
  const firstOffer = items.find((item) => item.kind === 'approve');
  return {
    task,
    project: view.project,
    cycles: questions.length,
    touches: items.filter((item) => DECIDED.has(item.state) && item.respondedVia !== 'system').length,
    waitedS: questions.flatMap((item) =>
      item.state === 'answered' && item.respondedAt !== null
        ? [secondsBetween(item.raisedAt, item.respondedAt)]
        : [],
    ),
    readyToApproveS:
      task.readyAt === null || firstOffer === undefined
        ? null
        : secondsBetween(task.readyAt, firstOffer.raisedAt),
    ...bookedMoney(turns),
    lockWaitS: view.lockWaitMs / 1000,
  };
}

/** Processes of launches as spans; one that still runs ends now, one that never became a process is left out. */
export const spansOf = (launches: readonly Launch[], now: EpochMs): readonly ProcessSpan[] =>
  launches.flatMap((launch) => {
    if (launch.pid === null) return [];
    if (launch.endedAt === null && launch.state === 'ended') return [];
    return [{ projectId: launch.projectId, from: launch.startedAt, to: launch.endedAt ?? now }];
  });

/** Waits for the agent-account lock, read from the ledger as its totals read them. */
const lockWaitMs = (ledger: Pick<LedgerStore, 'page'>, taskId: TaskId): number =>
  ledger
    .page({ taskId, kind: 'account.lock_wait' })
    .reduce((sum, entry) => sum + sumsOfEntry(entry).sums.lockWaitedMs, 0);

export function createReportService(deps: Pick<CoreDeps, 'stores' | 'clock'>): ReportService {
  const { stores, clock } = deps;
  return {
    relay(projectIds): RelayReport {
      const wanted = projectIds === null ? null : new Set<ProjectId>(projectIds);
      const projects = stores.projects
        .list({ withRemoved: wanted !== null })
        .filter((project) => wanted === null || wanted.has(project.id));
      const names = new Map(projects.map((project) => [project.id, project.name]));
      const tasks = projects
        .flatMap((project) => stores.tasks.list({ projectId: project.id }))
        .sort((a, b) => a.number - b.number);
      const now = clock.now();
      const overlap = overlapOf(tasks.flatMap((task) => spansOf(stores.launches.ofTask(task.id), now)));
      return {
        tasks: tasks.map((task) =>
          relayRow({
            task,
            project: names.get(task.projectId) ?? task.projectId,
            items: stores.items.list({ taskId: task.id }),
            turns: stores.turns.ofTask(task.id),
            lockWaitMs: lockWaitMs(stores.ledger, task.id),
          }),
        ),
        overlap: {
          projects: overlap.projectIds.map((id) => names.get(id) ?? id),
          seconds: overlap.milliseconds / 1000,
        },
        since: null,
      };
    },
  };
}
