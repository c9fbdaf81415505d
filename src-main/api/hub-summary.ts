import type { HubSummaryView } from '../../src-shared/api/hub-summary.ts';
import type { Item } from '../../src-shared/model/item.ts';
import { microUsd, usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime } from '../../src-shared/time.ts';
import { currentDay } from '../core/limits/spending.ts';
import type { ApiServices } from './context.ts';
import { hubStatusView, projectLine, projectName } from './views.ts';

/** Waiting items that a tray's menu lists. */
const NEWEST = 5;

/** Calls of today against what stands above them all: a running spike's number, else that of all agents together. */
function callsView({ stores, clock }: ApiServices): HubSummaryView['calls'] {
  const day = currentDay(stores, clock);
  const spike = stores.spikes.current();
  if (spike !== null && spike.endedAt === null) {
    const { projectIds, startedAt: since, callsPerDay: limit } = spike;
    return { used: stores.launches.callsOn(day, { projectIds, since }), limit, of: 'spike' };
  }
  const limit = stores.agents.list().reduce((sum, agent) => sum + agent.callsPerDay, 0);
  return { used: stores.launches.callsOn(day, {}), limit, of: 'agents' };
}

function costView({ stores, clock }: ApiServices): HubSummaryView['cost'] {
  const day = currentDay(stores, clock);
  const sums = stores.totals.totals('day', { from: day, to: day })[0]?.sums;
  const assumed = microUsd(sums?.assumedMicroUsd ?? 0);
  const all = microUsd((sums?.reportedMicroUsd ?? 0) + assumed);
  return { todayUsd: usdFromMicroUsd(all), assumedUsd: usdFromMicroUsd(assumed) };
}

/** An item's name where there is one line for it: its task's title, else our own sentence. */
const titleOf = ({ stores }: ApiServices, item: Item): string =>
  (item.taskId === null ? null : stores.tasks.get(item.taskId)?.title) ?? item.question;

/** What header, sidebar and tray show. Cheap enough to be asked after every change. */
export async function hubSummaryView(services: ApiServices): Promise<HubSummaryView> {
  const { stores, core, clock, hub, version } = services;
  const survivors = await core.switches.survivors();
  const status = hubStatusView(services);
  const open = stores.items.list({ states: ['open'] });
  const projects = stores.projects.list();
  const isPaused = status.paused || projects.some((project) => project.isPaused);
  const turnsLeft = !isPaused
    ? 0
    : stores.turns
        .running()
        .filter((turn) => status.paused || stores.projects.get(turn.projectId)?.isPaused === true).length;
  return {
    at: isoTime(clock.now()),
    version,
    hub: hub === null ? null : { pid: hub.pid, since: isoTime(hub.since), host: hub.host },
    killed: status.killed,
    survivors: [...survivors],
    paused: status.paused,
    pausing: turnsLeft === 0 ? null : turnsLeft,
    holds: status.holds,
    processes: status.running ? status.processes : 0,
    running: stores.tasks.count({ states: ['running', 'testing'] }),
    waiting: open.length,
    queued: stores.tasks.count({ states: ['ready'] }),
    calls: callsView(services),
    cost: costView(services),
    projects: projects.map((project) => ({
      ...projectLine(core, project),
      id: project.id,
      path: project.path,
      paused: project.isPaused,
      waiting: open.filter((item) => item.projectId === project.id).length,
    })),
    newest: open
      .slice(-NEWEST)
      .reverse()
      .map((item) => ({
        number: item.number,
        kind: item.kind,
        title: titleOf(services, item),
        project: projectName(stores, item.projectId),
        raisedAt: isoTime(item.raisedAt),
      })),
  };
}
