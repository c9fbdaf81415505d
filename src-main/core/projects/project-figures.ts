import { AppError } from '../../../src-shared/errors.ts';
import type { Agent } from '../../../src-shared/model/agent.ts';
import type { FarInterpreter, Project } from '../../../src-shared/model/project.ts';
import { isoTime } from '../../../src-shared/time.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import { projectCaps } from '../limits/caps.ts';
import {
  budgetSince,
  callLimitReached,
  callLimits,
  callsUsedUp,
  currentDay,
  decideReservation,
  moneyLimits,
  type CallLimit,
} from '../limits/spending.ts';
import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/world.ts';
import type { HubStatus, ProjectFigures } from '../services.ts';

/** The agent that a project names. @throws AppError 'not-found' */
export function agentOf(stores: Pick<Stores, 'agents'>, name: string): Agent {
  const agent = stores.agents.get(name);
  if (agent !== null) return agent;
  const known = stores.agents.list().map((each) => each.name);
  throw new AppError('not-found', `No agent is called ${name}.`, { hint: `Known: ${known.join(', ')}.` });
}

/**
 * What stands between the agent's switch and the project's account (10-relay, Test Runner): switched on without
 * an account no test of the project may run. Null when nothing does.
 */
export const accountProblem = (project: Pick<Project, 'settings'>, agent: Agent): string | null =>
  agent.testsUnderAccount && project.settings.runTestsAs === undefined
    ? `The agent ${agent.name} has its tests run under a separate account, but the project names none.`
    : null;

/**
 * What a person who named an account for tests should know while the agent's switch is off: it is not used. Null
 * when there is nothing to say.
 */
export const accountNotice = (project: Pick<Project, 'settings'>, agent: Agent): string | null =>
  project.settings.runTestsAs === undefined || agent.testsUnderAccount
    ? null
    : `Tests do not run as ${project.settings.runTestsAs}: testsUnderAccount of the agent ${agent.name} is off, so they run as the account that Signalbox runs as, also if that is root. Switch it on: signalbox agent set ${shellWord(agent.name)} testsUnderAccount=true`;

/**
 * What a person should know before the first test run: the interpreter of a Python environment lies where test runs
 * do not look. Null when there is none, or all of them are in `sandboxRead`.
 */
export function interpreterNotice({
  name,
  settings,
  facts,
}: Pick<Project, 'name' | 'settings' | 'facts'>): string | null {
  const isRead = ({ needs, asRead }: FarInterpreter): boolean =>
    settings.sandboxRead.some((read) =>
      [needs, asRead].some((folder) => folder === read || folder.startsWith(`${read.replace(/\/$/, '')}/`)),
    );
  const unread = (facts.interpreters ?? []).filter((each) => !isRead(each));
  if (unread.length === 0) return null;
  const places = [...new Set(unread.map((each) => each.asRead))];
  const reads = JSON.stringify([...settings.sandboxRead, ...places]);
  return `The interpreter of ${unread.map((each) => each.environment).join(', ')} lies in ${places.join(', ')}, which test runs do not see. Let them read it: signalbox project set ${shellWord(name)} sandboxRead=${shellWord(reads)}`;
}

/** Tasks of the project that hold a slot: in `running` or `testing`, or with a process that still lives. */
export function slotsInUse(stores: Pick<Stores, 'tasks' | 'launches'>, project: Pick<Project, 'id'>): number {
  const holding = new Set<string>(
    stores.tasks.list({ projectId: project.id, states: ['running', 'testing'] }).map((task) => task.id),
  );
  for (const launch of stores.launches.live()) {
    if (launch.projectId === project.id) holding.add(launch.taskId);
  }
  return holding.size;
}

/**
 * Figures of a project for its view.
 *
 * @param status switches and holds of the hub as they are now
 */
export function projectFigures(
  stores: Stores,
  clock: Clock,
  project: Project,
  status: HubStatus,
): ProjectFigures {
  const agent = agentOf(stores, project.settings.agent);
  const spike = stores.spikes.current();
  const caps = projectCaps(project, agent, spike);
  const day = currentDay(stores, clock);
  const period = { projectIds: [project.id], since: budgetSince(project, clock) };
  const money = decideReservation({
    perCall: caps.perCallMicroUsd.value,
    limits: moneyLimits(stores, project, spike, clock),
  });
  return {
    caps,
    spentMicroUsd: stores.turns.booked(period),
    assumedMicroUsd: stores.turns.booked({ ...period, onlyAssumed: true }),
    callsToday: stores.launches.callsOn(day, { projectId: project.id }),
    slotsInUse: slotsInUse(stores, project),
    notices: [accountNotice(project, agent), interpreterNotice(project)].filter((notice) => notice !== null),
    hold: holdReason({
      project,
      status,
      account: accountProblem(project, agent),
      calls: callLimitReached(callLimits(stores, project, agent, spike, day)),
      moneyUsedUp: money.kind === 'used-up' ? money.which : null,
    }),
  };
}

/**
 * Why nothing is dispatched in a project, the widest reason first; null when it is. Slots that are merely all in
 * use are no hold.
 */
export function holdReason(view: {
  readonly project: Pick<Project, 'isEnabled' | 'disabledReason' | 'isPaused' | 'slots'>;
  readonly status: HubStatus;
  /** What `accountProblem` said. */
  readonly account: string | null;
  readonly calls: CallLimit | null;
  readonly moneyUsedUp: string | null;
}): string | null {
  const { project, status } = view;
  if (status.killed !== null) {
    const { reason } = status.killed;
    return reason === '' ? 'The kill switch is engaged.' : `The kill switch is engaged: ${reason}`;
  }
  if (status.isPaused) return 'Everything is paused.';
  if (!project.isEnabled) return project.disabledReason ?? 'The project is switched off.';
  if (project.isPaused) return 'The project is paused.';
  if (project.slots === 0) return 'The project has no slots.';
  if (view.account !== null) return view.account;
  const [hold] = status.holds;
  if (hold !== undefined) {
    return hold.until === null ? hold.reason : `${hold.reason} (until ${isoTime(hold.until)})`;
  }
  if (view.calls !== null) return callsUsedUp(view.calls);
  return view.moneyUsedUp === null ? null : (MONEY_LIMIT[view.moneyUsedUp] ?? view.moneyUsedUp);
}

const MONEY_LIMIT: Readonly<Record<string, string>> = {
  'per-call': 'The cap per call is below one cent.',
  'project-budget': "The project's budget is used up.",
  'spike-budget': "The spike's budget is used up.",
};
