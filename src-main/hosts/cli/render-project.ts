import type { AgentView } from '../../../src-shared/api/agent.ts';
import type { ProjectView } from '../../../src-shared/api/project.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import type { Output } from './output.ts';
import { dollars, duration, renderFields, renderTable, withAssumed } from './tables.ts';

const stateOf = (project: ProjectView): string => {
  if (!project.enabled) return project.disabledReason === null ? 'off' : `off: ${project.disabledReason}`;
  return project.hold ?? 'on';
};

export function renderProjects(projects: readonly ProjectView[]): string {
  if (projects.length === 0) return 'No projects yet. Register one: signalbox project add <path>';
  return renderTable(
    ['project', 'slots', 'state', 'spent (estimate)', 'calls today', 'path'],
    projects.map((project) => [
      project.name,
      `${project.slotsInUse}/${project.slots}`,
      stateOf(project),
      `${withAssumed(project.spentUsd, project.assumedUsd)} of ${dollars(project.caps.budgetUsd)}`,
      `${project.callsToday} of ${project.caps.callsPerDay}`,
      project.path,
    ]),
  );
}

const settingText = (value: unknown): string =>
  visibleLine(typeof value === 'string' ? value : JSON.stringify(value));

export function renderProject(project: ProjectView, out: Output): string {
  const { caps, capSources: from } = project;
  const fields = renderFields([
    ['id', project.id],
    ['path', visibleLine(project.path)],
    ['base branch', visibleLine(project.baseBranch)],
    ['state', visibleLine(stateOf(project))],
    ['slots', `${project.slotsInUse} of ${project.slots} in use`],
    ['agent', `${visibleLine(project.agent)}, model ${visibleLine(project.model)}`],
    ['test command', project.testCommand === null ? 'none' : settingText(project.testCommand)],
    ['data class', project.dataClass],
    [
      'budget',
      `${withAssumed(project.spentUsd, project.assumedUsd)} of ${dollars(caps.budgetUsd)} spent, an estimate (${from.budgetUsd})`,
    ],
    ['per call', `${dollars(caps.perCallUsd)} (${from.perCallUsd})`],
    ['calls a day', `${project.callsToday} of ${caps.callsPerDay} today (${from.callsPerDay})`],
    ['questions a task', `${caps.maxQuestions} (${from.maxQuestions})`],
    ['attempts a task', `${caps.maxAttempts} (${from.maxAttempts})`],
    ['time a call', `${duration(caps.callTimeoutS)} (${from.callTimeoutS})`],
  ]);
  const settings = Object.entries(project.settings)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${key}=${settingText(value)}`);
  const notices = project.notices.map((notice) => `  - ${visibleLine(notice)}`);
  return [
    out.strong(visibleLine(project.name)),
    fields,
    ...(notices.length === 0 ? [] : ['', 'To know:', ...notices]),
    '',
    'Settings:',
    ...settings,
  ].join('\n');
}

export const renderAgents = (agents: readonly AgentView[]): string =>
  renderTable(
    ['agent', 'shown as', 'harness', 'model', 'calls today', 'time a call'],
    agents.map((agent) => [
      agent.name,
      agent.displayName,
      agent.harness,
      agent.model,
      agent.enabled ? `${agent.callsToday} of ${agent.callsPerDay}` : 'off',
      duration(agent.callTimeoutS),
    ]),
  );

export const renderAgent = (agent: AgentView): string =>
  renderFields([
    ['name', visibleLine(agent.name)],
    ['displayName', visibleLine(agent.displayName)],
    ['harness', agent.harness],
    ['model', visibleLine(agent.model)],
    ['callsPerDay', agent.enabled ? `${agent.callsPerDay} (${agent.callsToday} today)` : '0 (off)'],
    ['callTimeoutS', agent.callTimeoutS],
    ['testsUnderAccount', String(agent.testsUnderAccount)],
  ]);
