import { DEFAULT_AGENT, type Agent } from '../../../src-shared/model/agent.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import { microUsdFromUsd, type MicroUsd } from '../../../src-shared/money.ts';
import type { Cap, ProjectCaps } from '../services.ts';

/** What holds where nobody set anything (10-relay, Caps). Calls per day and time per call are the default agent's. */
export const DEFAULT_CAPS = {
  perCallMicroUsd: microUsdFromUsd(0.5),
  budgetMicroUsd: microUsdFromUsd(10),
  callsPerDay: DEFAULT_AGENT.callsPerDay,
  callTimeoutS: DEFAULT_AGENT.callTimeoutS,
  maxQuestions: 3,
  maxAttempts: 3,
} as const;

/** The spike that runs over the project now, or null. */
export const spikeOf = (project: Pick<Project, 'id'>, spike: Spike | null): Spike | null =>
  spike !== null && spike.endedAt === null && spike.projectIds.includes(project.id) ? spike : null;

/**
 * Calls per day that the agent may make, seen from one project.
 *
 * A running spike writes its own number into the agent, but other projects' use of the agent does not change:
 * for them the number from before the spike holds. A person who sets the agent's number while the spike runs
 * decides for everybody.
 */
export function agentCallsPerDay(
  project: Pick<Project, 'id'>,
  agent: Pick<Agent, 'callsPerDay'>,
  spike: Spike | null,
): Cap<number> {
  const own: Cap<number> = {
    value: agent.callsPerDay,
    source: agent.callsPerDay === DEFAULT_CAPS.callsPerDay ? 'default' : 'agent',
  };
  if (spike === null || spike.endedAt !== null) return own;
  if (spikeOf(project, spike) !== null) {
    return spike.callsPerDay <= agent.callsPerDay ? { value: spike.callsPerDay, source: 'spike' } : own;
  }
  if (agent.callsPerDay !== spike.callsPerDay) return own;
  return {
    value: spike.callsBefore,
    source: spike.callsBefore === DEFAULT_CAPS.callsPerDay ? 'default' : 'agent',
  };
}

/**
 * Every cap of a project with its value and where it was set. The project's own value holds within the agent's,
 * a running spike's within both; of equal values the one set closest to the project is named.
 *
 * @param agent the one that the project names
 * @param spike the current spike, whether it covers the project or not; null when none runs
 */
export function projectCaps(project: Project, agent: Agent, spike: Spike | null): ProjectCaps {
  const { settings } = project;
  const own = spikeOf(project, spike);
  const budget = moneyCap(settings.budgetUsd, DEFAULT_CAPS.budgetMicroUsd);
  const agentTimeout: Cap<number> = {
    value: agent.callTimeoutS,
    source: agent.callTimeoutS === DEFAULT_CAPS.callTimeoutS ? 'default' : 'agent',
  };
  return {
    budgetMicroUsd:
      own !== null && own.budgetMicroUsd < budget.value
        ? { value: own.budgetMicroUsd, source: 'spike' }
        : budget,
    perCallMicroUsd: moneyCap(settings.perCallUsd, DEFAULT_CAPS.perCallMicroUsd),
    callsPerDay: within(settings.callsPerDay, agentCallsPerDay(project, agent, spike)),
    maxQuestions: countCap(settings.maxQuestions, DEFAULT_CAPS.maxQuestions),
    maxAttempts: countCap(settings.maxAttempts, DEFAULT_CAPS.maxAttempts),
    callTimeoutS: within(settings.callTimeoutS, agentTimeout),
  };
}

const moneyCap = (usd: number | undefined, fallback: MicroUsd): Cap<MicroUsd> =>
  usd === undefined
    ? { value: fallback, source: 'default' }
    : { value: microUsdFromUsd(usd), source: 'project' };

const countCap = (value: number | undefined, fallback: number): Cap<number> =>
  value === undefined ? { value: fallback, source: 'default' } : { value, source: 'project' };

const within = (value: number | undefined, outer: Cap<number>): Cap<number> =>
  value === undefined || value > outer.value ? outer : { value, source: 'project' };
