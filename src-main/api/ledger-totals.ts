import type { LedgerTotalsView } from '../../src-shared/api/totals.ts';
import type { ProjectId } from '../../src-shared/ids.ts';
import type { ItemState } from '../../src-shared/model/item.ts';
import type { Project } from '../../src-shared/model/project.ts';
import { microUsd, usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, type LocalDay } from '../../src-shared/time.ts';
import { dayBefore, daysFrom } from '../core/ledger/days.ts';
import type { LedgerSums } from '../core/ledger/totals.ts';
import { currentDay } from '../core/limits/spending.ts';
import type { FinalResponse, LedgerRange, LockWait, WorkedTasks } from '../core/ports/ledger-store.ts';
import type { Stores } from '../core/ports/stores.ts';
import {
  countByClass,
  median,
  summariesByProject,
  summaryOf,
  WAIT_CLASSES_MS,
} from '../core/report/waits.ts';
import type { WaitSummary } from '../core/report/waits.ts';
import type { ApiServices } from './context.ts';
import { projectName } from './views.ts';

/** Rows of the tables of single waits. */
const NEWEST = 50;
/** Days that are listed one by one; those before them are in every sum. */
const LISTED_DAYS = 400;
const DECIDED: ReadonlySet<ItemState> = new Set([
  'answered',
  'approved',
  'rejected',
  'sent_back',
  'allowed',
  'denied',
  'resolved',
]);

const seconds = (ms: number): number => ms / 1000;
const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : seconds(ms));
const waitsView = (summary: WaitSummary) => ({
  count: summary.count,
  medianS: secondsOrNull(summary.medianMs),
  longestS: secondsOrNull(summary.longestMs),
  sumS: seconds(summary.sumMs),
});
const moneyView = (sums: Pick<LedgerSums, 'reportedMicroUsd' | 'assumedMicroUsd'>) => ({
  reportedUsd: usdFromMicroUsd(microUsd(sums.reportedMicroUsd)),
  assumedUsd: usdFromMicroUsd(microUsd(sums.assumedMicroUsd)),
});
const costs = (sums: LedgerSums): boolean => sums.reportedMicroUsd + sums.assumedMicroUsd > 0;
const waitOf = (response: Pick<FinalResponse, 'raisedAt' | 'respondedAt'>): number =>
  Math.max(0, response.respondedAt - response.raisedAt);
const isRelayWait = (response: FinalResponse): boolean =>
  response.kind === 'specify' && response.state === 'answered';

type ByModel = ReturnType<Stores['totals']['totalsByModel']>;

const modelsView = (rows: ByModel, key: string | null) =>
  rows
    .filter((row) => row.key === key && costs(row.sums))
    .map((row) => ({ model: row.model, ...moneyView(row.sums) }));

function callsView({ stores, clock }: ApiServices): LedgerTotalsView['calls'] {
  const day = currentDay(stores, clock);
  const agents = stores.agents.list().map((agent) => ({
    name: agent.name,
    displayName: agent.displayName,
    limit: agent.callsPerDay,
    today: stores.launches.callsOn(day, { agent: agent.name }),
  }));
  return {
    today: stores.launches.callsOn(day, {}),
    limit: agents.reduce((sum, agent) => sum + agent.limit, 0),
    agents,
  };
}

function daysView(stores: Stores, range: LedgerRange, to: LocalDay): LedgerTotalsView['days'] {
  const totals = new Map(stores.totals.totals('day', range).map((total) => [total.key, total.sums]));
  const byModel = stores.totals.totalsByModel('day', range);
  const earliest = dayBefore(to, LISTED_DAYS - 1);
  return daysFrom(range.from < earliest ? earliest : range.from, to).map((day) => {
    const sums = totals.get(day);
    return {
      day,
      calls: sums?.calls ?? 0,
      ...moneyView(sums ?? { reportedMicroUsd: 0, assumedMicroUsd: 0 }),
      models: modelsView(byModel, day),
    };
  });
}

function projectsView(
  stores: Stores,
  range: LedgerRange,
  worked: readonly WorkedTasks[],
): LedgerTotalsView['projects'] {
  const byModel = stores.totals.totalsByModel('project', range);
  return stores.totals
    .totals('project', range)
    .filter(({ sums }) => sums.calls > 0 || costs(sums))
    .map(({ key, sums }) => ({
      projectId: key,
      project: projectName(stores, key as ProjectId | null),
      calls: sums.calls,
      tasks: worked.filter((row) => row.projectId === key).reduce((sum, row) => sum + row.tasks, 0),
      ...moneyView(sums),
      models: modelsView(byModel, key),
    }));
}

function relayWaitsView(
  { stores, clock }: ApiServices,
  responses: readonly FinalResponse[],
  project: Project | null,
): LedgerTotalsView['relayWaits'] {
  const answered = responses.filter(isRelayWait).map((each) => ({ ...each, waitedMs: waitOf(each) }));
  const counts = countByClass(answered.map(({ waitedMs }) => waitedMs));
  const open = stores.items
    .list({ states: ['open'], kinds: ['specify'], ...(project === null ? {} : { projectId: project.id }) })
    .map((item) => ({
      ...item,
      item: item.number,
      respondedAt: null,
      via: null,
      waitedMs: waitOf({ raisedAt: item.raisedAt, respondedAt: clock.now() }),
    }));
  const newest = [...open.toReversed(), ...answered.toSorted((a, b) => b.respondedAt - a.respondedAt)];
  return {
    projects: summariesByProject(answered).map(({ projectId, summary }) => ({
      projectId,
      project: projectName(stores, projectId),
      ...waitsView(summary),
    })),
    classes: counts.map((count, index) => ({ underS: secondsOrNull(WAIT_CLASSES_MS[index] ?? null), count })),
    newest: newest.slice(0, NEWEST).map((each) => {
      const task = each.taskId === null ? null : stores.tasks.get(each.taskId);
      return {
        item: each.item,
        project: projectName(stores, each.projectId),
        taskNumber: task?.number ?? null,
        taskTitle: task?.title ?? null,
        cycle: each.cycle,
        raisedAt: isoTime(each.raisedAt),
        respondedAt: each.respondedAt === null ? null : isoTime(each.respondedAt),
        waitedS: seconds(each.waitedMs),
        via: each.via,
      };
    }),
  };
}

function lockWaitsView(stores: Stores, waits: readonly LockWait[]): LedgerTotalsView['lockWaits'] {
  return {
    projects: (['account', 'git'] as const).flatMap((lock) =>
      summariesByProject(waits.filter((wait) => wait.lock === lock)).map(({ projectId, summary }) => ({
        projectId,
        project: projectName(stores, projectId),
        lock,
        ...waitsView(summary),
      })),
    ),
    newest: waits.slice(0, NEWEST).map((wait) => ({
      at: isoTime(wait.at),
      lock: wait.lock,
      project: projectName(stores, wait.projectId),
      taskNumber: wait.taskId === null ? null : (stores.tasks.get(wait.taskId)?.number ?? null),
      waitedS: seconds(wait.waitedMs),
    })),
  };
}

function figuresView(
  stores: Stores,
  range: LedgerRange,
  read: {
    readonly responses: readonly FinalResponse[];
    readonly lockWaits: readonly LockWait[];
    readonly projects: LedgerTotalsView['projects'];
    readonly worked: readonly WorkedTasks[];
  },
): LedgerTotalsView['figures'] {
  const { responses, lockWaits, projects, worked } = read;
  const offers = stores.ranges.firstOffers(range);
  const touches = responses.filter((each) => DECIDED.has(each.state) && each.via !== 'system');
  const tasksWith = (kind: FinalResponse['kind'], state: ItemState): number =>
    new Set(responses.filter((each) => each.kind === kind && each.state === state).map((each) => each.taskId))
      .size;
  const total = stores.totals.totals('day', range).reduce(
    (sum, { sums }) => ({
      reportedMicroUsd: sum.reportedMicroUsd + sums.reportedMicroUsd,
      assumedMicroUsd: sum.assumedMicroUsd + sums.assumedMicroUsd,
    }),
    { reportedMicroUsd: 0, assumedMicroUsd: 0 },
  );
  const ofTasks = (states: readonly string[]): number =>
    worked.filter((row) => states.includes(row.state)).reduce((sum, row) => sum + row.tasks, 0);
  return {
    cost: {
      ...moneyView(total),
      projects: projects.filter((each) => each.reportedUsd + each.assumedUsd > 0).length,
    },
    tasks: {
      worked: worked.reduce((sum, row) => sum + row.tasks, 0),
      approved: tasksWith('approve', 'approved'),
      sentBack: tasksWith('approve', 'sent_back'),
      cancelled: ofTasks(['cancelled']),
    },
    touches: {
      all: touches.length,
      answers: touches.filter(isRelayWait).length,
      approvals: touches.filter((each) => each.kind === 'approve' && each.state === 'approved').length,
    },
    relayWait: waitsView(summaryOf(responses.filter(isRelayWait).map(waitOf))),
    readyToApprove: {
      count: offers.length,
      medianS: secondsOrNull(median(offers.map((offer) => offer.readyToApproveMs))),
      medianWithoutWaitsS: secondsOrNull(
        median(offers.map((offer) => Math.max(0, offer.readyToApproveMs - offer.waitedMs))),
      ),
    },
    lockWait: {
      ...waitsView(summaryOf(lockWaits.map((wait) => wait.waitedMs))),
      projects: new Set(lockWaits.map((wait) => wait.projectId)).size,
    },
  };
}

/** @param from first day, `to` the last one, both in the hub's calendar */
export function ledgerTotalsView(
  services: ApiServices,
  from: LocalDay,
  to: LocalDay,
  project: Project | null,
): LedgerTotalsView {
  const { stores } = services;
  const range: LedgerRange = { from, ...(project === null ? {} : { projectId: project.id }) };
  const responses = stores.ranges.responses(range);
  const lockWaits = stores.ranges.lockWaits(range);
  const worked = stores.ranges.workedTasks(range);
  const projects = projectsView(stores, range, worked);
  return {
    from,
    to,
    project: project?.name ?? null,
    figures: figuresView(stores, range, { responses, lockWaits, projects, worked }),
    days: daysView(stores, range, to),
    projects,
    models: stores.totals
      .totals('model', range)
      .filter(({ sums }) => costs(sums))
      .map(({ key, sums }) => ({ model: key, ...moneyView(sums) })),
    calls: callsView(services),
    relayWaits: relayWaitsView(services, responses, project),
    lockWaits: lockWaitsView(stores, lockWaits),
  };
}
