/** From what is stored to what a client sees: money in dollars, times in ISO 8601, names beside ids. */
import type { AgentView } from '../../src-shared/api/agent.ts';
import type { HubStatusView } from '../../src-shared/api/hub.ts';
import type { LedgerEntryView } from '../../src-shared/api/ledger.ts';
import type { ProjectView } from '../../src-shared/api/project.ts';
import type { RelayReportView } from '../../src-shared/api/report.ts';
import type { SpikeView } from '../../src-shared/api/spike.ts';
import type { KeptView, TranscriptEntryView } from '../../src-shared/api/task.ts';
import { DEFAULT_AGENT, type Agent } from '../../src-shared/model/agent.ts';
import type { KillState } from '../../src-shared/model/hold.ts';
import type { LedgerEntry } from '../../src-shared/model/ledger-entry.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Spike } from '../../src-shared/model/spike.ts';
import { addMoney, usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, isoTimeOrNull } from '../../src-shared/time.ts';
import type { Stores, TranscriptEntry } from '../core/ports/stores.ts';
import type { KeptState } from '../core/ports/workspaces.ts';
import { agentOfSpike } from '../core/spike/spike-tasks.ts';
import type { Core, ProjectCaps, ProjectFigures, RelayReport } from '../core/services.ts';
import type { ApiServices } from './context.ts';

export const projectName = (stores: Stores, id: Project['id'] | null): string | null =>
  id === null ? null : (stores.projects.get(id)?.name ?? id);

const capValues = (caps: ProjectCaps): ProjectView['caps'] => ({
  budgetUsd: usdFromMicroUsd(caps.budgetMicroUsd.value),
  perCallUsd: usdFromMicroUsd(caps.perCallMicroUsd.value),
  callsPerDay: caps.callsPerDay.value,
  maxQuestions: caps.maxQuestions.value,
  maxAttempts: caps.maxAttempts.value,
  callTimeoutS: caps.callTimeoutS.value,
});

const capSources = (caps: ProjectCaps): ProjectView['capSources'] => ({
  budgetUsd: caps.budgetMicroUsd.source,
  perCallUsd: caps.perCallMicroUsd.source,
  callsPerDay: caps.callsPerDay.source,
  maxQuestions: caps.maxQuestions.source,
  maxAttempts: caps.maxAttempts.source,
  callTimeoutS: caps.callTimeoutS.source,
});

export function projectView(stores: Stores, project: Project, figures: ProjectFigures): ProjectView {
  const { settings } = project;
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    baseBranch: project.baseBranch,
    slots: project.slots,
    slotsInUse: figures.slotsInUse,
    enabled: project.isEnabled,
    disabledReason: project.disabledReason,
    paused: project.isPaused,
    hold: figures.hold,
    testCommand: settings.testCommand ?? null,
    dataClass: settings.dataClass,
    model: settings.model ?? stores.agents.get(settings.agent)?.model ?? DEFAULT_AGENT.model,
    agent: settings.agent,
    merge: settings.merge,
    caps: capValues(figures.caps),
    capSources: capSources(figures.caps),
    spentUsd: usdFromMicroUsd(figures.spentMicroUsd),
    assumedUsd: usdFromMicroUsd(figures.assumedMicroUsd),
    callsToday: figures.callsToday,
    notices: [...figures.notices, ...project.facts.notices],
    settings: { ...settings },
  };
}

export function agentView(services: ApiServices, agent: Agent): AgentView {
  const today = services.clock.localDay(services.clock.now());
  return {
    ...agent,
    enabled: agent.callsPerDay > 0,
    callsToday: services.stores.launches.callsOn(today, { agent: agent.name }),
  };
}

export const killView = (killed: KillState): { since: string; reason: string; by: string } => ({
  since: isoTime(killed.since),
  reason: killed.reason,
  by: killed.by,
});

/** A kill file that nobody has looked at yet means killed as well: it wins over the database (12-engine, Kill). */
function killedState(services: ApiServices): KillState | null {
  const { killed } = services.core.switches.status();
  const file = killed === null ? services.killFile.read() : null;
  return file === null ? killed : { since: file.at, reason: file.reason, by: 'kill file' };
}

/** A project where the state of the whole hub is shown. */
export function projectLine(
  core: Pick<Core, 'projects'>,
  project: Project,
): HubStatusView['projects'][number] {
  const { slotsInUse, hold } = core.projects.figures(project.id);
  return { name: project.name, enabled: project.isEnabled, slots: project.slots, inUse: slotsInUse, hold };
}

export function hubStatusView(services: ApiServices): HubStatusView {
  const { core, stores, hub, version } = services;
  const status = core.switches.status();
  const killed = killedState(services);
  const common = {
    version,
    killed: killed === null ? null : killView(killed),
    paused: status.isPaused,
    holds: status.holds.map((hold) => ({
      kind: hold.kind,
      reason: hold.reason,
      since: isoTime(hold.since),
      until: isoTimeOrNull(hold.until),
      item: hold.item,
    })),
    projects: stores.projects.list().map((project) => projectLine(core, project)),
  };
  if (hub === null) return { running: false, ...common };
  return {
    running: true,
    pid: hub.pid,
    since: isoTime(hub.since),
    host: hub.host,
    ...common,
    processes: status.processes,
  };
}

export const ledgerEntryView = (entry: LedgerEntry): LedgerEntryView => ({
  seq: entry.seq,
  at: isoTime(entry.at),
  localDay: entry.localDay,
  kind: entry.kind,
  project: entry.project,
  projectId: entry.projectId,
  taskId: entry.taskId,
  sessionId: entry.sessionId,
  item: entry.item,
  data: entry.data,
  schema: entry.schema,
  prevHash: entry.prevHash,
  hash: entry.hash,
});

export const transcriptEntryView = (entry: TranscriptEntry): TranscriptEntryView => ({
  id: entry.id,
  turnId: entry.turnId,
  sessionId: entry.sessionId,
  role: entry.role,
  content: entry.content,
  at: isoTime(entry.at),
});

export const keptView = (stores: Stores, kept: KeptState): KeptView => ({
  taskId: kept.taskId,
  taskNumber: stores.tasks.get(kept.taskId)?.number ?? null,
  project: kept.project,
  ref: kept.ref,
  commit: kept.commit,
  reason: kept.reason,
  files: kept.files,
  at: isoTime(kept.at),
});

export const spikeView = (stores: Stores, spike: Spike): SpikeView => ({
  id: spike.id,
  projects: spike.projectIds.map((id) => projectName(stores, id) ?? id),
  agent: agentOfSpike(stores, spike),
  budgetUsd: usdFromMicroUsd(spike.budgetMicroUsd),
  callsPerDay: spike.callsPerDay,
  days: spike.days,
  keepCap: spike.keepCap,
  callsBefore: spike.callsBefore,
  startedAt: isoTime(spike.startedAt),
  endsAt: isoTime(spike.endsAt),
  endedAt: isoTimeOrNull(spike.endedAt),
  endedReason: spike.endedReason,
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Seconds to the millisecond: adding binary fractions leaves dust behind. */
const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

export function relayReportView(report: RelayReport): RelayReportView {
  const rows = report.tasks;
  return {
    tasks: rows.map((row) => ({
      taskId: row.task.id,
      number: row.task.number,
      project: row.project,
      title: row.task.title,
      state: row.task.state,
      cycles: row.cycles,
      touches: row.touches,
      waitedS: [...row.waitedS],
      readyToApproveS: row.readyToApproveS,
      costUsd: usdFromMicroUsd(row.costMicroUsd),
      assumedUsd: usdFromMicroUsd(row.assumedMicroUsd),
      lockWaitS: row.lockWaitS,
    })),
    totals: {
      tasks: rows.length,
      cycles: sum(rows.map((row) => row.cycles)),
      touches: sum(rows.map((row) => row.touches)),
      waitedS: toMilliseconds(sum(rows.flatMap((row) => row.waitedS))),
      costUsd: usdFromMicroUsd(addMoney(...rows.map((row) => row.costMicroUsd))),
      assumedUsd: usdFromMicroUsd(addMoney(...rows.map((row) => row.assumedMicroUsd))),
      lockWaitS: toMilliseconds(sum(rows.map((row) => row.lockWaitS))),
    },
    overlap: { projects: [...report.overlap.projects], seconds: toMilliseconds(report.overlap.seconds) },
    since: isoTimeOrNull(report.since),
  };
}
