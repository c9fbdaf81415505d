import type { KillState } from '../../../src-shared/model/hold.ts';
import type { TaskId } from '../../../src-shared/ids.ts';
import type { Task } from '../../../src-shared/model/task.ts';
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
 * makes the state durable, then puts tasks back with their sessions, then ends every process and verifies it. What
 * cannot be written (the disk is full) is kept in memory and written later; it never keeps a process alive.
 */
export interface KillSwitch {
  state(): KillState | null;
  engage(reason: string, by: string): Promise<KillReceipt>;
  /**
   * Engages when the file is there and the row is not, and writes what could not be written before. Cheap.
   *
   * @throws when that still cannot be written: nothing may be started then
   */
  look(): Promise<void>;
  /** Whether something is still to be written. */
  isOwing(): boolean;
  /** @throws when what could not be written before still cannot be */
  release(actor: Actor): void;
}

export function createKillSwitch(deps: CoreDeps, runtime: Runtime): KillSwitch {
  const { stores, clock, killFile, feed } = deps;
  let engaging: Promise<KillReceipt> | null = null;
  /** What was ended by the stop that is under way: whoever asks is told all of it, also when the file came first. */
  let ended = new Set<number>();
  /** The tasks that were stopped since then, for the same reason. */
  let stoppedTasks = new Set<TaskId>();

  /** Engaged, but not in the store yet. */
  let owed: KillState | null = null;
  /** Learned after the row was written: who asked, and why. */
  let owedName: Pick<KillState, 'reason' | 'by'> | null = null;
  let owedReceipt: KillReceipt | null = null;

  const row = (): KillState | null => (stores.settings.get(KILL_KEY) as KillState | null) ?? null;
  const state = (): KillState | null => row() ?? owed;
  const isOwing = (): boolean => owed !== null || owedName !== null || owedReceipt !== null;

  async function engage(reason: string, by: string, isAnew: boolean): Promise<KillReceipt> {
    // What came before is of this stop only when it begins: a further one has ended nothing of it.
    const isFirst = state() === null;
    if (isFirst) owed = { since: clock.now(), reason, by };
    // One that is still to be written is added to, not lost.
    if (isAnew && owedReceipt === null) {
      ended = new Set();
      stoppedTasks = new Set();
    }
    writeFile(reason);
    for (const task of stores.tasks.list({ states: ['running', 'testing'] })) stoppedTasks.add(task.id);
    if (isFirst) for (const task of putBackBefore()) stoppedTasks.add(task.id);
    const own = ownProcesses();
    attempt('the kill switch could not be stored; its processes are ended all the same', () =>
      storeState(true),
    );
    feed.hubChanged();
    const found = await deps.processes.findMarked(stores.hubId);
    // Both at once: a job in the middle of a long git command is ended by the mark, not waited for.
    const stopped = stopAllJobs(runtime, 'kill-switch');
    const first = await deps.processes.endAllMarked(stores.hubId, STOP_GRACE);
    await stopped;
    const rest = await deps.processes.endAllMarked(stores.hubId, STOP_GRACE);
    const others = isFirst ? await endedByOthers().catch(() => []) : [];
    const gone = [...own, ...others, ...found.map(({ pid }) => pid), ...first.ended, ...rest.ended];
    for (const pid of gone) if (!rest.alive.includes(pid)) ended.add(pid);
    const receipt: KillReceipt = {
      ended: [...ended],
      alive: rest.alive,
      tasks: [...stoppedTasks],
      costMicroUsd: addMoney(...[...stoppedTasks].map((taskId) => stores.turns.booked({ taskId }))),
    };
    if (tellsMore(receipt)) {
      owedReceipt = receipt;
      attempt('the receipt of the kill switch could not be stored yet', bookReceipt);
    }
    return receipt;
  }

  /**
   * `signalbox kill` ends them itself when this hub hangs: they were stopped by the switch as well, and this hub may
   * have seen them go before it saw the file.
   */
  function ownProcesses(): readonly number[] {
    const watched = [...runtime.jobs.values()].map(({ process }) => process?.pid ?? null);
    const launched = stores.launches
      .live()
      .filter(({ taskId }) => runtime.jobs.has(taskId))
      .map(({ pid }) => pid);
    return [...watched, ...launched].filter((pid) => pid !== null);
  }

  /** Tasks whose turn this hub saw end by the switch before it saw the file, as when it was frozen meanwhile. */
  function putBackBefore(): readonly Task[] {
    const file = killFile.read();
    if (file === null) return [];
    return stores.tasks
      .list({ states: ['ready'] })
      .filter(({ endedReason, updatedAt }) => endedReason === KILLED_REASON && updatedAt >= file.at);
  }

  /**
   * What guardian and `signalbox kill` ended while this hub, or the one before, could not. They leave receipts, which
   * are in the ledger once the recovery of a next hub has taken them.
   */
  async function endedByOthers(): Promise<readonly number[]> {
    const file = killFile.read();
    if (file === null) return [];
    const waiting = await deps.guardian.receipts();
    const booked = stores.ledger.page({ kind: 'guardian.receipt', newest: true, limit: 100 });
    return [...waiting, ...booked.map(({ data }) => data)]
      .filter(({ cause, at }) => cause === 'kill-file' && Number(at) >= file.at)
      .flatMap(({ ended: pids }) => (Array.isArray(pids) ? pids : []))
      .filter((pid) => typeof pid === 'number');
  }

  /** Whether the ledger does not hold it yet: asking again while nothing runs is no second stop. */
  function tellsMore(receipt: KillReceipt): boolean {
    if (owedReceipt !== null) return true;
    const [newest] = stores.ledger.page({ kind: 'kill.receipt', newest: true, limit: 1 });
    const since = state()?.since ?? null;
    if (newest === undefined || since === null || newest.at < since) return true;
    const known = (name: string): readonly unknown[] => {
      const value = newest.data[name];
      return Array.isArray(value) ? value : [];
    };
    const isListed = (pid: number): boolean => known('ended').includes(pid);
    const isAsAlive = known('alive').length === receipt.alive.length;
    return (
      !receipt.ended.every(isListed) || !isAsAlive || receipt.tasks.length > Number(newest.data['tasks'])
    );
  }

  function attempt(failure: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      deps.log.error(failure, { error: error instanceof Error ? error.message : String(error) });
    }
  }

  /** The row decides while this hub lives; the file is for the guardian and for the next one. */
  function writeFile(reason: string): void {
    const file = killFile.read();
    if (file !== null && (file.reason !== '' || reason === '')) return;
    attempt('the kill file could not be written yet', () => killFile.write(reason));
  }

  /** @param alsoTasks what runs goes back to the queue in the same transaction */
  function storeState(alsoTasks: boolean): void {
    stores.transaction(() => {
      if (alsoTasks) putTasksBack();
      if (owed !== null && row() === null) {
        stores.settings.set(KILL_KEY, owed);
        stores.ledger.append({ kind: 'kill.engaged', data: { reason: owed.reason, by: owed.by } });
      }
      const known = row();
      if (owedName === null || known === null) return;
      stores.settings.set(KILL_KEY, { ...known, ...owedName } satisfies KillState);
      if (known.by !== owedName.by) stores.ledger.append({ kind: 'kill.named', data: { by: owedName.by } });
    });
    owed = null;
    owedName = null;
    feed.hubChanged();
  }

  /**
   * `signalbox kill` writes the file before it asks: whoever asks after the file was seen is the one who engaged it.
   * Its text may be missing (the disk is full), so the reason is learned here as well.
   *
   * @returns whether it was so: the stop that the file began is then this caller's own
   */
  function nameWhoAsked(reason: string, by: string): boolean {
    const known = state();
    if (known?.by !== BY_FILE || by === BY_FILE) return false;
    const named = { reason: known.reason === '' ? reason : known.reason, by };
    if (owed === null) owedName = named;
    else owed = { ...owed, ...named };
    writeFile(named.reason);
    attempt('who engaged the kill switch could not be stored yet', () => storeState(owed !== null));
    return true;
  }

  /** Running tasks are ready at once; their attempts end, their sessions stay resumable. */
  function putTasksBack(): void {
    for (const task of stores.tasks.list({ states: ['running', 'testing'] })) {
      const run = task.runId === null ? null : stores.runs.get(task.runId);
      if (run !== null) endAttempts(deps, run, 'cancelled', KILLED_REASON);
      moveTask(deps, task, 'requeue', KILLED_REASON);
      for (const item of stores.items.list({ taskId: task.id, states: ['open'], kinds: ['review'] })) {
        if (item.cause === 'stall') closeItem(deps, item.number, 'resolved', KILLED_REASON);
      }
    }
  }

  function bookReceipt(): void {
    if (owedReceipt === null) return;
    const receipt = owedReceipt;
    stores.ledger.append({
      kind: 'kill.receipt',
      data: {
        ended: [...receipt.ended],
        alive: [...receipt.alive],
        tasks: receipt.tasks.length,
        costMicroUsd: receipt.costMicroUsd,
      },
    });
    owedReceipt = null;
    feed.hubChanged();
  }

  async function engageOnce(reason: string, by: string): Promise<KillReceipt> {
    const isTheFiles = nameWhoAsked(reason, by);
    engaging ??= engage(reason, by, !isTheFiles).finally(() => {
      engaging = null;
    });
    return engaging;
  }

  /** What a full disk kept from being written; tasks that still stand as running go back with it. */
  function writeOwed(): void {
    if (owed !== null || owedName !== null) storeState(owed !== null);
    bookReceipt();
  }

  return {
    state,
    isOwing,
    engage: engageOnce,
    look: async () => {
      const file = killFile.read();
      const known = state();
      if (file !== null && known === null) await engageOnce(file.reason, BY_FILE);
      else if (file !== null && known !== null) {
        // A file made by hand is there before its text is.
        if (known.by === BY_FILE && known.reason === '' && file.reason !== '') {
          if (owed === null) owedName = { reason: file.reason, by: BY_FILE };
          else owed = { ...owed, reason: file.reason };
        } else writeFile(known.reason);
      }
      writeOwed();
    },
    release: (actor) => {
      // Of a disk that was full: the ledger tells of a stop before it tells of its end.
      writeOwed();
      stores.transaction(() => {
        stores.settings.remove(KILL_KEY);
        stores.ledger.append({ kind: 'kill.released', data: { by: actor.name, via: actor.via } });
      });
      owed = null;
      owedName = null;
      killFile.remove();
      feed.hubChanged();
    },
  };
}
