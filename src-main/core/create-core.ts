import type { Millis } from '../../src-shared/time.ts';
import { createAgentService, ensureDefaultAgent } from './agents/agent-service.ts';
import { createEngine } from './engine/engine.ts';
import { checkDisk, openForProbe } from './engine/holds.ts';
import { createRuntime } from './engine/runtime.ts';
import { createInboxService } from './inbox/inbox-service.ts';
import { createAccountLock } from './limits/account-lock.ts';
import type { CoreDeps } from './ports/deps.ts';
import { createProjectService } from './projects/project-service.ts';
import { createReportService } from './report/relay-report.ts';
import { createRetention } from './retention/retention.ts';
import type { Core, Engine } from './services.ts';
import { createSpikeService } from './spike/spike-service.ts';
import { createKillSwitch } from './switches/kill-switch.ts';
import { createSwitchService } from './switches/switch-service.ts';
import { createTaskService } from './tasks/task-service.ts';

export interface CoreSettings {
  /** How long a response given in a window can be taken back; 0 to 30 s. */
  readonly undo: Millis;
  /** Hub-wide limit of concurrent processes. */
  readonly maxProcesses: number;
}

/**
 * Builds the rules over the given world. Nothing runs until `engine.start`; a command without a hub uses `core` alone.
 */
export function createCore(
  deps: CoreDeps,
  settings: CoreSettings,
): { readonly core: Core; readonly engine: Engine } {
  ensureDefaultAgent(deps.stores);
  const runtime = createRuntime(settings.maxProcesses);
  const killSwitch = createKillSwitch(deps, runtime);
  const wake = (): void => engine.wake();
  const tasks = createTaskService(deps, { runtime, wake });
  const spikes = createSpikeService(deps, { cancelTask: tasks.cancel });
  const switches = createSwitchService(deps, { killSwitch, runtime, wake });
  const retention = createRetention(deps);
  const lock = createAccountLock({
    leases: deps.stores.leases,
    clock: deps.clock,
    log: deps.log,
    reap: (account) => deps.commands.reapAccount(account),
  });
  const engine: Engine = createEngine(deps, {
    runtime,
    lock,
    killSwitch,
    checkSpike: () => spikes.check(),
    forgetOld: () => retention.runIfDue(),
  });
  // More slots, a switch or a higher cap may let a ready task start.
  const waking: CoreDeps = {
    ...deps,
    feed: {
      taskChanged: (id) => deps.feed.taskChanged(id),
      itemChanged: (number) => deps.feed.itemChanged(number),
      projectChanged: (id) => {
        deps.feed.projectChanged(id);
        wake();
      },
      hubChanged: () => {
        deps.feed.hubChanged();
        wake();
      },
    },
  };
  const core: Core = {
    projects: createProjectService(waking, { status: switches.status }),
    agents: createAgentService(waking),
    tasks,
    inbox: createInboxService(
      deps,
      { undo: settings.undo },
      {
        wake,
        checkHold: (item) => {
          openForProbe(deps, item);
          // A full disk is looked at; no launch can prove that there is room again.
          if (item.cause === 'disk-full') checkDisk(deps);
        },
      },
    ),
    switches,
    spikes,
    reports: createReportService(deps),
  };
  return { core, engine };
}
