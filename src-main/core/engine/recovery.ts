import { millis } from '../../../src-shared/time.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { StoredReceipt } from '../ports/world.ts';
import { moveTask, taskOf } from '../tasks/moves.ts';
import type { Runtime } from './runtime.ts';
import { bookLostTurn } from './settle-turn.ts';
import { openForProbe } from './holds.ts';

/** TERM, this grace, KILL (12-engine, Processes). */
export const STOP_GRACE = millis(700);

/**
 * Puts everything in order that a dead hub left: its processes first, then git, then the rows. Nothing is started
 * before this is done. Every part may be interrupted and done again.
 */
export async function recover(deps: CoreDeps, runtime: Runtime): Promise<void> {
  await endLeftovers(deps);
  await deps.workspaces.recover(deps.stores.projects.list({ withRemoved: true }));
  settleRows(deps, runtime);
  await revokeGrants(deps);
  openForProbe(deps, null);
}

async function endLeftovers(deps: CoreDeps): Promise<void> {
  const { stores, processes, guardian } = deps;
  for (const receipt of await guardian.receipts()) {
    bookReceipt(deps, receipt);
    await guardian.acknowledge(receipt);
  }
  const recorded = [
    ...stores.launches
      .live()
      .map((launch) => ({ pid: launch.pid, processStart: launch.processStart, mark: launch.ownerMark })),
    ...stores.testRuns.running().map((run) => ({
      pid: run.pid,
      processStart: run.processStart,
      mark: `${stores.hubId}:${run.attemptId}`,
    })),
  ].flatMap((each) => (each.pid === null ? [] : [{ ...each, pid: each.pid }]));
  const byRecord = await processes.endTrees(recorded, STOP_GRACE);
  const byMark = await processes.endAllMarked(stores.hubId, STOP_GRACE);
  const ended = [...new Set([...byRecord.ended, ...byMark.ended])];
  const alive = [...new Set([...byRecord.alive, ...byMark.alive])];
  if (ended.length > 0 || alive.length > 0) {
    stores.ledger.append({ kind: 'recovery.ended', data: { ended, alive } });
  }
}

/** Once, also when the hub that booked it before died without having acknowledged it. */
function bookReceipt({ stores }: CoreDeps, receipt: StoredReceipt): void {
  stores.transaction(() => {
    const newest = stores.ledger.page({ kind: 'guardian.receipt', limit: 1000, newest: true });
    if (newest.some((entry) => entry.data['receipt'] === receipt.id)) return;
    stores.ledger.append({
      kind: 'guardian.receipt',
      data: {
        receipt: receipt.id,
        at: receipt.at,
        cause: receipt.cause,
        ended: [...receipt.ended],
        alive: [...receipt.alive],
      },
    });
  });
}

/** A turn that was running is lost: booked as assumed, its attempt goes on, its task is ready with its session. */
function settleRows(deps: CoreDeps, runtime: Pick<Runtime, 'probe'>): void {
  const { stores } = deps;
  for (const turn of stores.turns.running()) bookLostTurn(deps, runtime, turn);
  for (const testRun of stores.testRuns.running()) {
    stores.testRuns.update({ ...testRun, state: 'lost', endedAt: deps.clock.now() });
  }
  for (const task of stores.tasks.list({ states: ['running', 'testing'] })) {
    moveTask(deps, taskOf(deps, task.id), 'requeue', 'the hub ended');
  }
}

/** Trees that a crash left granted to an agent account are taken back. */
async function revokeGrants(deps: CoreDeps): Promise<void> {
  const trees = deps.stores.trees.list(['active']);
  for (const project of deps.stores.projects.list()) {
    const account = project.settings.runTestsAs;
    if (account === undefined) continue;
    const paths = trees.filter((tree) => tree.projectId === project.id).map((tree) => tree.path);
    if (paths.length === 0) continue;
    await deps.commands.revokeGrants(paths, account);
  }
}
