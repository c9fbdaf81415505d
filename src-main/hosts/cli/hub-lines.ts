import type { LedgerEntry } from '../../../src-shared/model/ledger-entry.ts';
import { microUsd, usdFromMicroUsd } from '../../../src-shared/money.ts';
import { isoTime } from '../../../src-shared/time.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import type { Stores } from '../../core/ports/stores.ts';
import type { Disposable } from '../../core/ports/world.ts';
import { dollars } from './tables.ts';

/** What a hub's terminal tells of a fact, in the words of a person; null for all that is of no concern there. */
function eventOf(entry: LedgerEntry): string | null {
  const { data, item } = entry;
  switch (entry.kind) {
    case 'harness.start':
      return 'the agent starts';
    case 'harness.resume':
      return 'the agent goes on';
    case 'harness.result': {
      // A turn can end before its agent starts, as when the set-up command fails: the item says what happened.
      if (data['agentRan'] === false) return null;
      const cost = Number(data['costMicroUsd'] ?? 0);
      // Of a turn that gave no result nobody knows its cost (12-engine, Money).
      const basis = data['costBasis'] === 'assumed' ? 'assumed' : 'estimate';
      return `the agent's turn has ended, ${dollars(usdFromMicroUsd(microUsd(cost)))} (${basis})`;
    }
    case 'item.raised':
      return `#${item} waits for you: signalbox inbox show ${item}`;
    case 'item.responded':
      return `#${item} is answered`;
    case 'test.result':
      return 'the test run has ended';
    case 'task.merged':
      return 'the work is merged';
    case 'task.close':
      return 'done';
    case 'task.cancel':
      return 'cancelled';
    case 'kill.engaged':
      return 'the kill switch is engaged: signalbox release --yes';
    case 'kill.released':
      return 'the kill switch is released';
    case 'hold.raised':
      return `dispatch is on hold: ${String(data['kind'] ?? 'unknown')}`;
    case 'hold.lifted':
      return 'dispatch goes on';
    case 'safety.stop':
      return 'stopped for safety';
    default:
      return null;
  }
}

/** One line of a hub's terminal, or null. @param taskNumber of the entry's task */
export function hubLine(entry: LedgerEntry, taskNumber: number | null): string | null {
  const event = eventOf(entry);
  if (event === null) return null;
  const of = entry.project === null ? '' : ` (${entry.project})`;
  const who = taskNumber === null ? '' : `task ${taskNumber}${of}: `;
  return visibleLine(`${isoTime(entry.at).slice(11, 19)}  ${who}${event}`);
}

/** Entries told at once; a terminal that was left behind by more shows the newest of them. */
const MOST = 200;

/** Tells every notable fact from now on, one line each. */
export function watchHub(
  stores: Pick<Stores, 'ledger' | 'tasks'>,
  feed: { listen(changed: () => void): Disposable },
  print: (line: string) => void,
): Disposable {
  let seen = stores.ledger.head().seq;
  return feed.listen(() => {
    try {
      for (const entry of stores.ledger.page({ afterSeq: seen, limit: MOST })) {
        seen = entry.seq;
        const task = entry.taskId === null ? null : stores.tasks.get(entry.taskId);
        const line = hubLine(entry, task?.number ?? null);
        if (line !== null) print(line);
      }
    } catch {
      // What the terminal shows must never get into the way of the hub.
    }
  });
}
