import type { ProjectId } from '../../../src-shared/ids.ts';
import type { Agent } from '../../../src-shared/model/agent.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import {
  LEAST_START_MICRO_USD,
  leastMoney,
  microUsdFromUsd,
  moneyLeft,
  type MicroUsd,
} from '../../../src-shared/money.ts';
import { epochMs, type EpochMs, type LocalDay } from '../../../src-shared/time.ts';
import type { LaunchStore, TurnStore } from '../ports/stores.ts';
import type { LedgerStore } from '../ports/ledger-store.ts';
import type { Clock } from '../ports/world.ts';
import { agentCallsPerDay, DEFAULT_CAPS, projectCaps, spikeOf } from './caps.ts';

export type MoneyLimitName = 'per-call' | 'project-budget' | 'spike-budget';

/** One limit of money with what already counts against it. */
export interface MoneyLimit {
  readonly name: MoneyLimitName;
  readonly limit: MicroUsd;
  /** Settled turns, reported and assumed. */
  readonly booked: MicroUsd;
  /** Turns that run now. */
  readonly reserved: MicroUsd;
}

export type ReservationDecision =
  /** `narrowest` is the limit that set the amount: it is the one to name when the turn ends by its budget. */
  | { readonly kind: 'reserve'; readonly amount: MicroUsd; readonly narrowest: MoneyLimitName }
  /** `isOnlyReserved`: turns that run now hold the money, and some of it may come back when they end. */
  | { readonly kind: 'used-up'; readonly which: MoneyLimitName; readonly isOnlyReserved: boolean };

/**
 * How much the next turn may cost: the least of the per-call cap and what each limit has left. Below one cent
 * nothing starts. The caller reserves the amount in the transaction in which the figures were read, else two
 * starts could both see the same money.
 */
export function decideReservation(input: {
  readonly perCall: MicroUsd;
  readonly limits: readonly MoneyLimit[];
}): ReservationDecision {
  let amount = input.perCall;
  let narrowest: MoneyLimitName = 'per-call';
  for (const limit of input.limits) {
    const left = moneyLeft(limit.limit, limit.booked, limit.reserved);
    if (left < amount) {
      amount = left;
      narrowest = limit.name;
    }
  }
  if (amount >= LEAST_START_MICRO_USD) return { kind: 'reserve', amount, narrowest };
  const isOnlyReserved =
    input.perCall >= LEAST_START_MICRO_USD &&
    input.limits.every((each) => moneyLeft(each.limit, each.booked) >= LEAST_START_MICRO_USD);
  return { kind: 'used-up', which: narrowest, isOnlyReserved };
}

/** From when on costs count against the project's budget: start of the calendar month, or the beginning of time. */
export const budgetSince = (project: Pick<Project, 'settings'>, clock: Clock): EpochMs =>
  project.settings.budgetPeriod === 'month' ? clock.startOfMonth(clock.now()) : epochMs(0);

interface MoneyStores {
  readonly turns: Pick<TurnStore, 'booked' | 'reserved'>;
}

/** The limits of money that hold for a project now, with their present figures. */
export function moneyLimits(
  stores: MoneyStores,
  project: Project,
  spike: Spike | null,
  clock: Clock,
): readonly MoneyLimit[] {
  const of = (
    name: MoneyLimitName,
    limit: MicroUsd,
    projectIds: readonly ProjectId[],
    since: EpochMs,
  ): MoneyLimit => ({
    name,
    limit,
    booked: stores.turns.booked({ projectIds, since }),
    reserved: stores.turns.reserved({ projectIds }),
  });
  const { budgetUsd } = project.settings;
  const ownBudget = budgetUsd === undefined ? DEFAULT_CAPS.budgetMicroUsd : microUsdFromUsd(budgetUsd);
  const limits = [of('project-budget', ownBudget, [project.id], budgetSince(project, clock))];
  const own = spikeOf(project, spike);
  if (own !== null) limits.push(of('spike-budget', own.budgetMicroUsd, own.projectIds, own.startedAt));
  return limits;
}

/** What is left of the narrowest limit, booked and reserved counted; the per-call cap is not applied. */
export function moneyLeftFor(
  stores: MoneyStores,
  project: Project,
  spike: Spike | null,
  clock: Clock,
): MicroUsd {
  const left = moneyLimits(stores, project, spike, clock).map((each) =>
    moneyLeft(each.limit, each.booked, each.reserved),
  );
  return leastMoney(...left);
}

/** The decision for the project's next turn, from what is stored now. Call it in the reserving transaction. */
export function decideProjectReservation(
  stores: MoneyStores,
  project: Project,
  agent: Agent,
  spike: Spike | null,
  clock: Clock,
): ReservationDecision {
  return decideReservation({
    perCall: projectCaps(project, agent, spike).perCallMicroUsd.value,
    limits: moneyLimits(stores, project, spike, clock),
  });
}

export type CallLimitName = 'agent-calls' | 'project-calls' | 'spike-calls';

/** A number of calls in a day with what was used of it. */
export interface CallLimit {
  readonly name: CallLimitName;
  readonly limit: number;
  readonly used: number;
}

const WHOSE: Readonly<Record<string, string>> = {
  'agent-calls': "the agent's number",
  'project-calls': "the project's number",
  'spike-calls': "the spike's number",
};

/** What is said of a day's calls that are used up, wherever it stands. */
export const callsUsedUp = ({ name, limit, used }: Readonly<CallLimit>): string =>
  limit === 0
    ? `No calls are allowed (${WHOSE[name] ?? name}).`
    : `The calls of today are used up: ${used} of ${limit} (${WHOSE[name] ?? name}). It goes on after midnight.`;

/**
 * The limits of calls that hold for a project on a day. A project outside a running spike does not see the
 * spike's calls, as the spike brought its own number (10-relay: other projects' use of the agent is not changed).
 *
 * @param day the ledger's day: after a clock went back still the latest one seen
 */
export function callLimits(
  stores: { readonly launches: Pick<LaunchStore, 'callsOn'> },
  project: Project,
  agent: Agent,
  spike: Spike | null,
  day: LocalDay,
): readonly CallLimit[] {
  const { launches } = stores;
  const limits: CallLimit[] = [];
  const running = spike !== null && spike.endedAt === null ? spike : null;
  const ofSpike =
    running === null
      ? 0
      : launches.callsOn(day, {
          agent: agent.name,
          projectIds: running.projectIds,
          since: running.startedAt,
        });
  const isInside = spikeOf(project, running) !== null;
  if (isInside && running !== null) {
    // An end under way cancels its tasks one after the other; none of them may start meanwhile.
    const limit = running.endedReason === null ? running.callsPerDay : 0;
    limits.push({ name: 'spike-calls', limit, used: ofSpike });
  }
  // Once a person has set the agent's own number during the spike it holds for everybody's calls.
  const isSetByPerson = running !== null && agent.callsPerDay !== running.callsPerDay;
  if (!isInside || isSetByPerson) {
    const used = launches.callsOn(day, { agent: agent.name });
    limits.push({
      name: 'agent-calls',
      limit: isInside ? agent.callsPerDay : agentCallsPerDay(project, agent, running).value,
      used: isSetByPerson ? used : used - ofSpike,
    });
  }
  const ownCalls = project.settings.callsPerDay;
  if (ownCalls !== undefined) {
    limits.push({
      name: 'project-calls',
      limit: ownCalls,
      used: launches.callsOn(day, { projectId: project.id }),
    });
  }
  return limits;
}

/** The first limit with no call left, or null when a call may be made. */
export const callLimitReached = (limits: readonly CallLimit[]): CallLimit | null =>
  limits.find((each) => each.used >= each.limit) ?? null;

/** Today, or the latest day in the ledger when the clock went back behind it (12-engine, Store and ledger). */
export function currentDay(
  stores: { readonly ledger: Pick<LedgerStore, 'latestDay'> },
  clock: Clock,
): LocalDay {
  const today = clock.localDay(clock.now());
  const latest = stores.ledger.latestDay();
  return latest !== null && latest > today ? latest : today;
}
