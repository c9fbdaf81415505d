import { counted } from '../../../src-shared/counted.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import {
  addMoney,
  LEAST_START_MICRO_USD,
  microUsd,
  microUsdFromUsd,
  NO_MONEY,
  usdFromMicroUsd,
} from '../../../src-shared/money.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import { endBudgetWait } from '../limits/budget-wait.ts';
import { projectCaps } from '../limits/caps.ts';
import { callLimitReached, callLimits, currentDay, moneyLimits } from '../limits/spending.ts';
import type { MoneyLimit } from '../limits/spending.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { agentOf } from '../projects/project-figures.ts';
import type { Actor } from '../services.ts';
import { moveTask, projectOf, taskOf } from '../tasks/moves.ts';
import { closeItem } from './raise-item.ts';

type FigureDeps = Pick<CoreDeps, 'stores' | 'clock'>;

/**
 * Least budget that lets one call start: what is booked and reserved plus the cent below which nothing starts, and
 * never less than the budget that holds now.
 */
export const leastBudget = (limit: MoneyLimit): MicroUsd =>
  microUsd(Math.max(limit.limit, addMoney(limit.booked, limit.reserved, LEAST_START_MICRO_USD)));

/** The limit of money that parked the item's task, with its figures now; null for other causes. */
export function moneyLimitOf(deps: FigureDeps, item: Item): MoneyLimit | null {
  const project = item.projectId === null ? null : deps.stores.projects.get(item.projectId);
  if (project === null) return null;
  if (item.cause !== 'budget-used-up' && item.cause !== 'spike-budget') return null;
  const name = item.cause === 'spike-budget' ? 'spike-budget' : 'project-budget';
  const limits = moneyLimits(deps.stores, project, deps.stores.spikes.current(), deps.clock);
  return limits.find((limit) => limit.name === name) ?? null;
}

const CENT = microUsd(10_000);

/**
 * Budget to suggest: what is booked and reserved plus one call at its full cap for each task that the limit parked,
 * rounded up to a cent. With the least one all but one of them would park again at once.
 *
 * @param item the open one that the person looks at
 * @param limit its limit, with its figures now
 */
export function suggestedBudget(deps: FigureDeps, item: Item, limit: MoneyLimit): MicroUsd {
  const { stores } = deps;
  const spike = stores.spikes.current();
  const perCall = (parked: Item): MicroUsd => {
    const project = parked.projectId === null ? null : stores.projects.get(parked.projectId);
    return project === null
      ? NO_MONEY
      : projectCaps(project, agentOf(stores, project.settings.agent), spike).perCallMicroUsd.value;
  };
  const parked = openItems(deps, item.cause).filter(
    // A project's budget parks its own tasks, a spike's those of all its projects.
    (each) => item.cause === 'spike-budget' || each.projectId === item.projectId,
  );
  const wanted = addMoney(limit.booked, limit.reserved, ...parked.map(perCall));
  return microUsd(Math.ceil(Math.max(wanted, leastBudget(limit)) / CENT) * CENT);
}

/** The limits of calls as they would be if agent and project were raised to `calls` a day. */
function callLimitsWith(deps: FigureDeps, project: Project, calls: number): ReturnType<typeof callLimits> {
  const { stores, clock } = deps;
  const agent = agentOf(stores, project.settings.agent);
  const own = project.settings.callsPerDay;
  const raised =
    own === undefined
      ? project
      : { ...project, settings: { ...project.settings, callsPerDay: Math.max(own, calls) } };
  const raisedAgent = { ...agent, callsPerDay: Math.max(agent.callsPerDay, calls) };
  return callLimits(stores, raised, raisedAgent, stores.spikes.current(), currentDay(stores, clock));
}

/**
 * Least number of calls a day that is more than now and lets one call of the project start today.
 *
 * @returns null when no number does, as a running spike's own number is used up
 */
export function leastCalls(deps: FigureDeps, project: Project): number | null {
  const agent = agentOf(deps.stores, project.settings.agent);
  let calls = Math.min(agent.callsPerDay, project.settings.callsPerDay ?? agent.callsPerDay) + 1;
  for (;;) {
    const reached = callLimitReached(callLimitsWith(deps, project, calls));
    if (reached === null) return calls;
    if (reached.name === 'spike-calls') return null;
    calls = Math.max(calls, reached.used) + 1;
  }
}

/**
 * Whether a number raises the cap that the item is about; one that would lower it or change nothing is refused.
 *
 * @returns the value as it is stored
 * @throws AppError 'usage' with the smallest useful value
 */
export function checkedRaise(deps: FigureDeps, item: Item, value: string | null): string {
  return item.cause === 'calls-used-up'
    ? checkedCalls(deps, item, value?.trim() ?? '')
    : checkedBudget(deps, item, value?.trim() ?? '');
}

/** Exactly the amount, so that it can be typed as it is shown. */
const plain = (amount: MicroUsd): string => String(usdFromMicroUsd(amount));

const MOST_BUDGET_USD = 1_000_000;
const MOST_CALLS = 100_000;

function checkedBudget(deps: FigureDeps, item: Item, value: string): string {
  const limit = moneyLimitOf(deps, item);
  const least = limit === null ? null : leastBudget(limit);
  const command = `signalbox resolve ${item.number} --action raise-cap --value`;
  const hint =
    limit === null || least === null
      ? `For example: ${command} 20`
      : `One call for each task that waits: ${command} ${plain(suggestedBudget(deps, item, limit))} (the least that helps: --value ${plain(least)})`;
  const usd = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || usd > MOST_BUDGET_USD) {
    throw new AppError(
      'usage',
      `--value for raise-cap is the new budget in USD, a number up to ${MOST_BUDGET_USD}.`,
      { hint },
    );
  }
  if (limit !== null && least !== null && microUsdFromUsd(usd) < least) {
    throw new AppError(
      'usage',
      `A budget of $${value} lets nothing start: of $${plain(limit.limit)} there are $${plain(limit.booked)} spent and $${plain(limit.reserved)} reserved. The smallest useful value is ${plain(least)}.`,
      { hint },
    );
  }
  return value;
}

function checkedCalls(deps: FigureDeps, item: Item, value: string): string {
  const project = item.projectId === null ? null : deps.stores.projects.get(item.projectId);
  const least = project === null ? 1 : leastCalls(deps, project);
  if (least === null) {
    throw new AppError('usage', "The running spike's own calls are used up; no other number helps.", {
      hint: 'It ends by itself, or now: signalbox spike stop',
    });
  }
  const example = `signalbox resolve ${item.number} --action raise-cap --value ${least}`;
  const calls = Number(value);
  if (!/^\d+$/.test(value) || calls > MOST_CALLS) {
    throw new AppError(
      'usage',
      `--value for raise-cap is the new number of calls per day, a whole number up to ${MOST_CALLS}.`,
      { hint: `The smallest that helps: ${example}` },
    );
  }
  if (calls < least) {
    throw new AppError(
      'usage',
      `${counted(calls, 'call per day lets', 'calls per day let')} nothing start. The smallest useful value is ${least}.`,
      { hint: example },
    );
  }
  return value;
}

/** Raises the project's budget; every task that it had parked goes on, each with its entries in the ledger. */
export function raiseBudget(deps: CoreDeps, task: Task, item: Item): void {
  const usd = Number(item.answer);
  const project = projectOf(deps, task.projectId);
  deps.stores.projects.update({ ...project, settings: { ...project.settings, budgetUsd: usd } });
  endBudgetWait(deps.stores, project);
  deps.stores.ledger.append({
    kind: 'project.changed',
    projectId: project.id,
    project: project.name,
    item: item.number,
    data: {
      field: 'budgetUsd',
      oldMicroUsd:
        project.settings.budgetUsd === undefined ? null : microUsdFromUsd(project.settings.budgetUsd),
      newMicroUsd: microUsdFromUsd(usd),
    },
  });
  deps.feed.projectChanged(project.id);
  moveTask(deps, task, 'retry');
  for (const other of openItems(deps, item.cause)) {
    if (other.projectId !== project.id || other.taskId === null || other.number === item.number) continue;
    closeItem(deps, other.number, 'resolved', raisedWith(item));
    const parked = taskOf(deps, other.taskId);
    if (parked.state === 'parked') moveTask(deps, parked, 'retry');
  }
}

/** Raises agent and project to the number; items of other projects that it lets go on are settled with it. */
export function raiseCalls(deps: CoreDeps, item: Item, calls: number, actor: Actor): void {
  if (item.projectId === null) return;
  const project = projectOf(deps, item.projectId);
  const agent = deps.stores.agents.get(project.settings.agent);
  if (agent !== null && agent.callsPerDay < calls) {
    deps.stores.agents.put({ ...agent, callsPerDay: calls });
    deps.stores.ledger.append({
      kind: 'policy.agent_changed',
      data: { agent: agent.name, field: 'callsPerDay', old: agent.callsPerDay, new: calls, by: actor.name },
    });
  }
  const own = project.settings.callsPerDay;
  if (own !== undefined && own < calls) {
    deps.stores.projects.update({ ...project, settings: { ...project.settings, callsPerDay: calls } });
    deps.stores.ledger.append({
      kind: 'project.changed',
      projectId: project.id,
      project: project.name,
      data: { field: 'callsPerDay', old: own, new: calls, by: actor.name },
    });
  }
  for (const other of openItems(deps, item.cause)) {
    if (other.projectId === null || other.number === item.number) continue;
    const mayCall = callLimitReached(callLimitsWith(deps, projectOf(deps, other.projectId), 0)) === null;
    if (mayCall) closeItem(deps, other.number, 'resolved', raisedWith(item));
  }
}

/** Why an item that nobody answered is closed: the answer to another one settled it. */
export const raisedWith = (item: Pick<Item, 'number'>): string => `raise-cap at item #${item.number}`;

const openItems = (deps: Pick<CoreDeps, 'stores'>, cause: Item['cause']): readonly Item[] =>
  deps.stores.items.list({ states: ['open'], kinds: ['manual'] }).filter((each) => each.cause === cause);
