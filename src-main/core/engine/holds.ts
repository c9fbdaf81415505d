import type { Hold, HoldKind } from '../../../src-shared/model/hold.ts';
import type { Item } from '../../../src-shared/model/item.ts';
import { epochMs, minutes } from '../../../src-shared/time.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import { closeItem, raiseItem } from '../inbox/raise-item.ts';
import type { CoreDeps } from '../ports/deps.ts';

type HoldDeps = Pick<CoreDeps, 'stores' | 'clock' | 'feed'>;

/** One launch is let through again after this, unless the reset time is known (12-engine, States). */
const PROBE_EVERY = minutes(10);
/** A full disk is looked at, never probed by a launch. */
const NEVER = epochMs(Number.MAX_SAFE_INTEGER);

const SENTENCE_OF: Readonly<Record<HoldKind, string>> = {
  login: 'Authentication required for Claude Code. Log in separately through Claude Code, then retry.',
  'usage-limit': 'The usage limit of Claude Code is reached. Dispatch goes on when it resets.',
  overload: 'The model service is overloaded or cannot be reached. Dispatch tries again every 10 minutes.',
  billing: 'The account has no credit left. Add credit, then check again.',
  disk: 'The disk is nearly full. Nothing is started until there is room.',
  executable: 'Claude Code could not be started. Run "signalbox doctor" to see why.',
};

const CAUSE_OF = {
  login: 'login',
  'usage-limit': 'usage-limit',
  overload: 'overload',
  billing: 'billing',
  disk: 'disk-full',
  executable: 'executable',
} as const;

/** Puts the whole hub on hold, or renews the hold; one `manual` item stands for it as long as it lasts. */
export function raiseHold(deps: HoldDeps, kind: HoldKind, message: string, until: EpochMs | null): Hold {
  return deps.stores.transaction(() => {
    const now = deps.clock.now();
    const before = deps.stores.holds.list().find((hold) => hold.kind === kind);
    const item =
      before?.item ??
      raiseItem(deps, {
        kind: 'manual',
        cause: CAUSE_OF[kind],
        task: null,
        project: null,
        message: SENTENCE_OF[kind],
        details: [message],
      }).number;
    const hold: Hold = {
      kind,
      reason: SENTENCE_OF[kind],
      since: before?.since ?? now,
      until,
      probeAt: kind === 'disk' ? NEVER : until !== null && until > now ? until : epochMs(now + PROBE_EVERY),
      item,
    };
    deps.stores.holds.put(hold);
    deps.stores.ledger.append({
      kind: before === undefined ? 'hold.raised' : 'hold.renewed',
      item,
      data: { kind, until },
    });
    deps.feed.hubChanged();
    return hold;
  });
}

export function liftHold(deps: HoldDeps, hold: Hold, why: string): void {
  deps.stores.transaction(() => {
    deps.stores.holds.remove(hold.kind);
    if (hold.item !== null) closeItem(deps, hold.item, 'resolved', why);
    deps.stores.ledger.append({ kind: 'hold.lifted', item: hold.item, data: { kind: hold.kind, why } });
    deps.feed.hubChanged();
  });
}

/** A launch worked: every hold that a launch can disprove is over. */
export function liftHoldsAfterSuccess(deps: HoldDeps): void {
  for (const hold of deps.stores.holds.list()) {
    if (hold.kind !== 'disk') liftHold(deps, hold, 'a call worked');
  }
}

/** Lets one launch through now: on "check again" and at hub start. */
export function openForProbe(deps: HoldDeps, item: Item | null): void {
  deps.stores.transaction(() => {
    const now = deps.clock.now();
    for (const hold of deps.stores.holds.list()) {
      if (hold.kind === 'disk' || (item !== null && hold.item !== item.number)) continue;
      deps.stores.holds.put({ ...hold, probeAt: now });
    }
    deps.feed.hubChanged();
  });
}

/** Bytes below which nothing is started: a hub that cannot write its ledger must not spend. */
export const LEAST_FREE_BYTES = 200 * 1024 * 1024;

/** Raises or lifts the hold for a nearly full disk. */
export function checkDisk(deps: HoldDeps & Pick<CoreDeps, 'disk'>): void {
  const free = deps.disk.freeBytes();
  if (free === null) return;
  const hold = deps.stores.holds.list().find((each) => each.kind === 'disk');
  if (free < LEAST_FREE_BYTES && hold === undefined) {
    raiseHold(deps, 'disk', `${Math.floor(free / 1024 / 1024)} MiB are free where the data lies.`, null);
  } else if (free >= LEAST_FREE_BYTES && hold !== undefined) liftHold(deps, hold, 'there is room again');
}
