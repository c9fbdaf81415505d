import type { Hold, KillState } from '../../../src-shared/model/hold.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import type { MicroUsd } from '../../../src-shared/money.ts';
import { callsUsedUp } from '../limits/spending.ts';
import type { CallLimit, MoneyLimitName, ReservationDecision } from '../limits/spending.ts';

/** Why a start is not let through now. Only `no-slot` and `hub-full` end by themselves when other work ends. */
export type Refusal =
  | {
      readonly kind:
        | 'killed'
        | 'paused'
        | 'project-off'
        | 'project-paused'
        | 'no-slot'
        | 'hub-full'
        | 'stopping'
        | 'not-ready';
      readonly reason: string;
    }
  | { readonly kind: 'hold'; readonly reason: string; readonly until: EpochMs | null }
  | { readonly kind: 'calls'; readonly reason: string; readonly until: EpochMs; readonly limit: CallLimit }
  | { readonly kind: 'budget'; readonly reason: string; readonly which: MoneyLimitName }
  | { readonly kind: 'budget-wait'; readonly reason: string };

export type StartDecision =
  | { readonly kind: 'go'; readonly reserve: MicroUsd | null; readonly isProbe: boolean }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Everything the gate looks at, read in the transaction that claims the slot. */
export interface StartView {
  readonly now: EpochMs;
  readonly nextMidnight: EpochMs;
  readonly isStopping: boolean;
  readonly killed: KillState | null;
  readonly isPaused: boolean;
  readonly project: {
    readonly name: string;
    readonly isEnabled: boolean;
    readonly disabledReason: string | null;
    readonly isPaused: boolean;
    readonly slots: number;
  };
  readonly isTaskReady: boolean;
  /** What `accountProblem` says; null when the tests can run as the agent's switch asks. */
  readonly accountProblem: string | null;
  readonly slotsInUse: number;
  readonly processes: number;
  readonly maxProcesses: number;
  /** Null for a step that starts no agent: then neither calls, money nor holds matter. */
  readonly agent: {
    readonly holds: readonly Hold[];
    readonly isProbeRunning: boolean;
    readonly calls: readonly CallLimit[];
    /** Turns that run but have not sent their prompt: they will be calls. */
    readonly callsToCome: number;
    readonly money: ReservationDecision;
    readonly waitsForBudget: boolean;
  } | null;
}

const refused = (refusal: Refusal): StartDecision => ({ kind: 'refused', refusal });

/**
 * The one gate for every start (10-relay, guarantees): kill switch, pause, project, slots, the hub's limit of
 * processes, holds (half open: one launch is let through when their time to try has come), calls, money.
 */
export function decideStart(view: StartView): StartDecision {
  const { project } = view;
  if (view.isStopping) return refused({ kind: 'stopping', reason: 'the hub is stopping' });
  if (view.killed !== null) return refused({ kind: 'killed', reason: 'the kill switch is engaged' });
  if (view.isPaused) return refused({ kind: 'paused', reason: 'dispatch is paused' });
  if (!project.isEnabled) {
    const why = project.disabledReason === null ? '' : ` (${project.disabledReason})`;
    return refused({ kind: 'project-off', reason: `project ${project.name} is switched off${why}` });
  }
  if (project.isPaused)
    return refused({ kind: 'project-paused', reason: `project ${project.name} is paused` });
  if (view.accountProblem !== null) return refused({ kind: 'project-off', reason: view.accountProblem });
  if (!view.isTaskReady) return refused({ kind: 'not-ready', reason: 'the task is not ready any more' });
  if (view.slotsInUse >= project.slots) {
    return refused({
      kind: 'no-slot',
      reason: project.slots === 0 ? `project ${project.name} has no slots` : 'all slots are in use',
    });
  }
  if (view.processes >= view.maxProcesses)
    return refused({ kind: 'hub-full', reason: 'the limit of concurrent processes is reached' });
  return view.agent === null
    ? { kind: 'go', reserve: null, isProbe: false }
    : decideAgentStart(view, view.agent);
}

const MONEY_NAMES: Readonly<Record<MoneyLimitName, string>> = {
  'per-call': 'the cap per call',
  'project-budget': 'the project budget',
  'spike-budget': 'the spike budget',
};

function decideAgentStart(view: StartView, agent: NonNullable<StartView['agent']>): StartDecision {
  const closed = agent.holds.find((hold) => hold.probeAt > view.now);
  if (closed !== undefined) return refused({ kind: 'hold', reason: closed.reason, until: closed.until });
  const isProbe = agent.holds.length > 0;
  if (isProbe && agent.isProbeRunning) {
    return refused({
      kind: 'hold',
      reason: `${agent.holds[0]?.reason ?? 'on hold'}; one call is trying`,
      until: null,
    });
  }
  for (const limit of agent.calls) {
    if (limit.used < limit.limit && limit.used + agent.callsToCome >= limit.limit) {
      return refused({ kind: 'hub-full', reason: 'the last calls of the day are being made' });
    }
    if (limit.used >= limit.limit) {
      return refused({ kind: 'calls', reason: callsUsedUp(limit), until: view.nextMidnight, limit });
    }
  }
  if (agent.money.kind === 'used-up') {
    const what = MONEY_NAMES[agent.money.which];
    if (agent.money.isOnlyReserved) {
      return refused({ kind: 'hub-full', reason: `${what} is held by calls that run now` });
    }
    return agent.waitsForBudget
      ? refused({ kind: 'budget-wait', reason: `${what} is used up; waiting for the next period` })
      : refused({ kind: 'budget', reason: `${what} is used up`, which: agent.money.which });
  }
  return { kind: 'go', reserve: agent.money.amount, isProbe };
}

/** Refusals that other work of this hub will end by itself; everything else is "on hold" for `--until-idle`. */
export const isPassing = (refusal: Refusal): boolean =>
  refusal.kind === 'no-slot' || refusal.kind === 'hub-full' || refusal.kind === 'not-ready';
