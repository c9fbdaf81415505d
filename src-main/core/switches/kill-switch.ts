import type { TaskId } from '../../../src-shared/ids.ts';
import type { KillState } from '../../../src-shared/model/hold.ts';
import { addMoney } from '../../../src-shared/money.ts';
import { closeItem } from '../inbox/raise-item.ts';
import { stopAllJobs } from '../engine/runtime.ts';
import type { Runtime } from '../engine/runtime.ts';
import { STOP_GRACE } from '../engine/recovery.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Actor, KillReceipt } from '../services.ts';
import { endAttempts, moveTask } from '../tasks/moves.ts';
import { KILL_KEY, KILLED_REASON } from './switch-keys.ts';

/** Who engaged it when all that is known is the file. */
const BY_FILE = 'kill file';

/**
 * The kill switch (12-engine, Kill): `<data>/KILL` and a row; a file that is there wins over the row. Engaging first
 * makes the state durable, then puts tasks back with their sessions, then ends every process and verifies it.
 */
export interface KillSwitch {
  state(): KillState | null;
  engage(reason: string, by: string): Promise<KillReceipt>;
  /** Engages when the file is there and the row is not. Cheap. */
  look(): Promise<void>;
  release(actor: Actor): void;
}

export function createKillSwitch(deps: CoreDeps, runtime: Runtime): KillSwitch {
  const { stores, clock, killFile, feed } = deps;
  let engaging: Promise<KillReceipt> | null = null;
  /** What was ended since the switch was engaged: whoever asks is told all of it, also when the file came first. */
  let ended = new Set<number>();

  const state = (): KillState | null => (stores.settings.get(KILL_KEY) as KillState | null) ?? null;

  async function engage(reason: string, by: string): Promise<KillReceipt> {
    if (killFile.read() === null) killFile.write(reason);
    const tasks = stores.transaction(() => {
      if (state() === null) {
        stores.settings.set(KILL_KEY, { since: clock.now(), reason, by } satisfies KillState);
        stores.ledger.append({ kind: 'kill.engaged', data: { reason, by } });
        ended = new Set();
      }
      nameWhoAsked(by);
      return putTasksBack();
    });
    feed.hubChanged();
    const found = await deps.processes.findMarked(stores.hubId);
    // Both at once: a job in the middle of a long git command is ended by the mark, not waited for.
    const stopped = stopAllJobs(runtime, 'kill-switch');
    const first = await deps.processes.endAllMarked(stores.hubId, STOP_GRACE);
    await stopped;
    const rest = await deps.processes.endAllMarked(stores.hubId, STOP_GRACE);
    const gone = [...found.map(({ pid }) => pid), ...first.ended, ...rest.ended];
    for (const pid of gone) if (!rest.alive.includes(pid)) ended.add(pid);
    return book(tasks, { ended: [...ended], alive: rest.alive });
  }

  /** `signalbox kill` writes the file before it asks: whoever asks after the file was seen is the one who engaged it. */
  function nameWhoAsked(by: string): void {
    const known = state();
    if (known?.by !== BY_FILE || by === BY_FILE) return;
    stores.settings.set(KILL_KEY, { ...known, by } satisfies KillState);
    stores.ledger.append({ kind: 'kill.named', data: { by } });
  }

  /** Running tasks are ready at once; their attempts end, their sessions stay resumable. */
  function putTasksBack(): readonly TaskId[] {
    const tasks = stores.tasks.list({ states: ['running', 'testing'] });
    for (const task of tasks) {
      const run = task.runId === null ? null : stores.runs.get(task.runId);
      if (run !== null) endAttempts(deps, run, 'cancelled', KILLED_REASON);
      moveTask(deps, task, 'requeue', KILLED_REASON);
      for (const item of stores.items.list({ taskId: task.id, states: ['open'], kinds: ['review'] })) {
        if (item.cause === 'stall') closeItem(deps, item.number, 'resolved', KILLED_REASON);
      }
    }
    return tasks.map((task) => task.id);
  }

  function book(
    tasks: readonly TaskId[],
    left: { readonly ended: readonly number[]; readonly alive: readonly number[] },
  ): KillReceipt {
    const receipt: KillReceipt = {
      ended: left.ended,
      alive: left.alive,
      tasks,
      costMicroUsd: addMoney(...tasks.map((taskId) => stores.turns.booked({ taskId }))),
    };
    stores.ledger.append({
      kind: 'kill.receipt',
      data: {
        ended: [...receipt.ended],
        alive: [...receipt.alive],
        tasks: tasks.length,
        costMicroUsd: receipt.costMicroUsd,
      },
    });
    feed.hubChanged();
    return receipt;
  }

  async function engageOnce(reason: string, by: string): Promise<KillReceipt> {
    engaging ??= engage(reason, by).finally(() => {
      engaging = null;
    });
    return engaging;
  }

  return {
    state,
    engage: engageOnce,
    look: async () => {
      const file = killFile.read();
      if (file === null) return;
      const known = state();
      if (known === null) await engageOnce(file.reason, BY_FILE);
      // A file made by hand is there before its text is.
      else if (known.by === BY_FILE && known.reason === '' && file.reason !== '') {
        stores.settings.set(KILL_KEY, { ...known, reason: file.reason } satisfies KillState);
        feed.hubChanged();
      }
    },
    release: (actor) => {
      stores.transaction(() => {
        stores.settings.remove(KILL_KEY);
        stores.ledger.append({ kind: 'kill.released', data: { by: actor.name, via: actor.via } });
      });
      killFile.remove();
      feed.hubChanged();
    },
  };
}
