import { AppError, isAppError } from '../../../src-shared/errors.ts';
import type { ProjectId, TaskId } from '../../../src-shared/ids.ts';
import type { LedgerData } from '../../../src-shared/model/ledger-entry.ts';
import type { LedgerKind } from '../../../src-shared/model/ledger-kinds.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Spike } from '../../../src-shared/model/spike.ts';
import { isEnded } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';
import { agentOf } from '../projects/project-figures.ts';
import type { Actor, SpikeService } from '../services.ts';
import { decideSpike, hasSucceeded } from './decide-spike.ts';
import { agentOfSpike, openTasksOf } from './spike-tasks.ts';
import { createSpikeViews } from './spike-view.ts';

export type SpikeServiceDeps = Pick<
  CoreDeps,
  'stores' | 'clock' | 'ids' | 'log' | 'workspaces' | 'feed' | 'isHub'
>;

const SYSTEM: Actor = { name: 'signalbox', via: 'system' };

/** A person who keeps adding tasks must not keep a spike from ending. */
const MOST_ROUNDS = 10;

/**
 * A bounded try of the relay over some projects. While it runs its number of calls stands in the agent.
 *
 * Ending is: the intent with its reason, its own tasks cancelled, trees of ended tasks cleaned, then in one transaction the
 * end, the agent's number and the ledger entries. Each step may be cut and is done again by the next `check`.
 *
 * @param engine `cancelTask` cancels a task as a person's cancel does: running processes ended, items closed
 */
export function createSpikeService(
  deps: SpikeServiceDeps,
  engine: { readonly cancelTask: (id: TaskId, actor: Actor) => Promise<unknown> },
): SpikeService {
  const { stores, clock } = deps;
  const { projectsOf, booked, callsToday, viewOf, reportOf } = createSpikeViews(deps);
  let ending: Promise<Spike> | null = null;

  const projectOf = (id: ProjectId): Project => {
    const project = stores.projects.get(id);
    if (project !== null && project.removedAt === null) return project;
    throw new AppError('not-found', 'There is no such project.', { hint: 'See signalbox project list.' });
  };
  const record = (kind: LedgerKind, actor: Actor, data: LedgerData): void => {
    stores.ledger.append({ kind, data: { by: actor.name, via: actor.via, ...data } });
  };

  const changeAgentCalls = (spike: Spike, from: number, to: number, name: string, actor: Actor): void => {
    if (from === to) return;
    stores.agents.put({ ...agentOf(stores, name), callsPerDay: to });
    record('policy.agent_changed', actor, {
      agent: name,
      spike: spike.id,
      changes: { callsPerDay: { old: from, new: to } },
    });
  };

  const cleanTrees = async (spike: Spike): Promise<void> => {
    // Without a hub nothing is cleaned; a hub that starts finds the trees of ended tasks by itself.
    if (!deps.isHub) return;
    const projects = new Map(projectsOf(spike).map((project) => [project.id, project]));
    for (const tree of stores.trees.list(['making', 'active', 'removing'])) {
      const project = projects.get(tree.projectId);
      const task = stores.tasks.get(tree.taskId);
      if (project === undefined || task === null || !isEnded(task.state)) continue;
      try {
        await deps.workspaces.remove(
          { taskId: task.id, taskNumber: task.number, title: task.title, project },
          'spike-ended',
        );
      } catch (error) {
        // Its tombstone or its row stays, so the next start converges; the spike's end must not hang on it.
        deps.log.error('A tree of an ended spike could not be removed.', { taskId: task.id, error });
      }
    }
  };

  const settle = (spike: Spike, reason: string, actor: Actor): Spike =>
    stores.transaction(() => {
      const agent = agentOf(stores, agentOfSpike(stores, spike));
      const report = reportOf(spike);
      const ended: Spike = { ...spike, endedAt: clock.now(), endedReason: reason };
      stores.spikes.put(ended);
      // A number that a person set while the spike ran is theirs and stays.
      const isOurs = agent.callsPerDay === spike.callsPerDay;
      if (!spike.keepCap && isOurs) {
        changeAgentCalls(spike, agent.callsPerDay, spike.callsBefore, agent.name, actor);
      }
      record('spike.ended', actor, {
        spike: spike.id,
        agent: agent.name,
        reason,
        keepCap: spike.keepCap,
        report,
      });
      return ended;
    });

  const cancel = async (id: TaskId, actor: Actor): Promise<void> => {
    try {
      await engine.cancelTask(id, actor);
    } catch (error) {
      // It ended by itself meanwhile; the next round sees whether it did.
      if (!isAppError(error, 'task-wrong-state')) throw error;
    }
  };

  const finish = async (spike: Spike, reason: string, actor: Actor): Promise<Spike> => {
    const intended: Spike = { ...spike, endedReason: reason };
    stores.spikes.put(intended);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const open = openTasksOf(stores, intended);
      if (open.length === 0) break;
      for (const task of open) await cancel(task.id, actor);
    }
    await cleanTrees(intended);
    const ended = settle(intended, reason, actor);
    deps.feed.hubChanged();
    return ended;
  };

  /** One end at a time: `check` is called by what an end itself changes. */
  const endOnce = (spike: Spike, reason: string, actor: Actor): Promise<Spike> => {
    // Begun one step later, so that `ending` is set before anything it cancels can call `check`.
    ending ??= Promise.resolve()
      .then(() => finish(spike, reason, actor))
      .finally(() => {
        ending = null;
      });
    return ending;
  };

  return {
    start(input, actor) {
      const spike = stores.transaction(() => {
        if (stores.spikes.current() !== null) {
          throw new AppError('spike-running', 'A spike runs already.', {
            hint: 'See signalbox spike status; end it with signalbox spike stop.',
          });
        }
        const projectIds = [...new Set(input.projectIds)];
        const projects = projectIds.map(projectOf);
        const agents = [...new Set(projects.map((project) => project.settings.agent))];
        const [agentName] = agents;
        if (agentName === undefined || agents.length > 1) {
          throw new AppError('usage', 'A spike needs projects that use the same agent.', {
            hint: `These use: ${agents.join(', ') || 'none'}.`,
          });
        }
        const agent = agentOf(stores, agentName);
        const startedAt = clock.now();
        let endsAt = startedAt;
        for (let day = 0; day < input.days; day += 1) endsAt = clock.nextMidnight(endsAt);
        const started: Spike = {
          id: deps.ids.next('spike'),
          projectIds,
          budgetMicroUsd: input.budgetMicroUsd,
          callsPerDay: input.callsPerDay,
          days: input.days,
          keepCap: input.keepCap,
          callsBefore: agent.callsPerDay,
          startedAt,
          endsAt,
          endedAt: null,
          endedReason: null,
        };
        stores.spikes.put(started);
        record('spike.started', actor, {
          spike: started.id,
          agent: agentName,
          projects: projects.map((project) => project.name),
          projectIds,
          budgetMicroUsd: started.budgetMicroUsd,
          callsPerDay: started.callsPerDay,
          days: started.days,
          keepCap: started.keepCap,
        });
        changeAgentCalls(started, agent.callsPerDay, started.callsPerDay, agentName, actor);
        return started;
      });
      deps.feed.hubChanged();
      return spike;
    },

    status() {
      const spike = stores.spikes.latest();
      if (spike === null) return null;
      return {
        spike,
        spentMicroUsd: booked(spike),
        callsToday: callsToday(spike),
        succeeded: hasSucceeded(viewOf(spike)),
        openTasks: spike.endedAt === null ? openTasksOf(stores, spike) : [],
      };
    },

    async stop(reason, actor) {
      if (ending !== null) return ending;
      const spike = stores.spikes.current();
      if (spike === null) throw new AppError('spike-not-running', 'No spike runs.');
      return endOnce(spike, reason, actor);
    },

    async check() {
      const spike = stores.spikes.current();
      if (spike === null || ending !== null) return;
      // An end that a crash cut off goes on with the reason it had.
      if (spike.endedReason !== null) {
        await endOnce(spike, spike.endedReason, SYSTEM);
        return;
      }
      const decision = decideSpike(viewOf(spike));
      if (decision.kind === 'end') {
        await endOnce(spike, `${decision.reason}: ${decision.detail}`, SYSTEM);
      }
    },
  };
}
