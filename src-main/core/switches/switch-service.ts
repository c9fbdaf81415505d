import { AppError } from '../../../src-shared/errors.ts';
import type { Runtime } from '../engine/runtime.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { SwitchService } from '../services.ts';
import { projectOf } from '../tasks/moves.ts';
import type { KillSwitch } from './kill-switch.ts';
import { PAUSE_KEY } from './switch-keys.ts';

export function createSwitchService(
  deps: CoreDeps,
  parts: { readonly killSwitch: KillSwitch; readonly runtime: Runtime; readonly wake: () => void },
): SwitchService {
  const { stores } = deps;

  function setPaused(projectId: Parameters<SwitchService['pause']>[0], isPaused: boolean, by: string): void {
    stores.transaction(() => {
      if (projectId === null) {
        if (isPaused) stores.settings.set(PAUSE_KEY, true);
        else stores.settings.remove(PAUSE_KEY);
        stores.ledger.append({ kind: isPaused ? 'hub.paused' : 'hub.unpaused', data: { by } });
        return;
      }
      const project = projectOf(deps, projectId);
      if (project.isPaused === isPaused) return;
      stores.projects.update({ ...project, isPaused });
      stores.ledger.append({
        kind: isPaused ? 'project.paused' : 'project.unpaused',
        projectId,
        project: project.name,
        data: { by },
      });
    });
    if (projectId === null) deps.feed.hubChanged();
    else deps.feed.projectChanged(projectId);
    parts.wake();
  }

  /** What the newest receipt since the switch was engaged names, looked at again. */
  async function survivors(): Promise<readonly number[]> {
    const killed = parts.killSwitch.state();
    const [receipt] = stores.ledger.page({ kind: 'kill.receipt', newest: true, limit: 1 });
    if (killed === null || receipt === undefined || receipt.at < killed.since) return [];
    const alive = receipt.data['alive'];
    if (!Array.isArray(alive) || alive.length === 0) return [];
    const marked = await deps.processes.findMarked(stores.hubId);
    return marked.map(({ pid }) => pid).filter((pid) => alive.includes(pid));
  }

  return {
    survivors,
    status: () => ({
      killed: parts.killSwitch.state(),
      isPaused: stores.settings.get(PAUSE_KEY) === true,
      holds: stores.holds.list(),
      processes: [...parts.runtime.jobs.values()].filter((job) => job.process !== null).length,
    }),
    kill: async (reason, actor) => parts.killSwitch.engage(reason, actor.name),
    release: (actor) => {
      if (parts.killSwitch.state() === null && deps.killFile.read() === null) {
        throw new AppError('task-wrong-state', 'The kill switch is not engaged.');
      }
      parts.killSwitch.release(actor);
      parts.wake();
    },
    pause: (projectId, actor) => setPaused(projectId, true, actor.name),
    unpause: (projectId, actor) => setPaused(projectId, false, actor.name),
  };
}
