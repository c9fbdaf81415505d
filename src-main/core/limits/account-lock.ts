import { millis } from '../../../src-shared/time.ts';
import type { EpochMs, Millis } from '../../../src-shared/time.ts';
import type { Lease, LeaseStore } from '../ports/stores.ts';
import type { Clock, Disposable, Log } from '../ports/world.ts';

/** While it is held the lease is renewed this often. */
export const BEAT_PERIOD: Millis = millis(2_000);
/** A waiter looks this often, also at the kill switch. */
export const POLL_PERIOD: Millis = millis(1_000);
/** A lease whose beat a waiter has not seen change for this long is expired. */
export const EXPIRY: Millis = millis(15_000);

export interface AcquireLock {
  /** Name of the operating-system account. */
  readonly account: string;
  /** Who wants it; never used for two holds, such as the id of a test run. */
  readonly owner: string;
  /** The test's own time limit: waiting longer is a failed attempt. */
  readonly timeout: Millis;
  /** The kill switch, asked at every look. */
  readonly isStopped: () => boolean;
}

export type AcquireOutcome =
  | { readonly kind: 'held'; readonly waitedMs: number; readonly lock: HeldLock }
  | { readonly kind: 'timed-out' | 'stopped'; readonly waitedMs: number }
  /** An expired lease was taken over, but processes of the account live on: nothing may run as it. */
  | { readonly kind: 'not-reaped'; readonly waitedMs: number };

export interface HeldLock {
  readonly fencing: number;
  /** False from the moment the lease is known to be another's, released or abandoned. */
  isHeld(): boolean;
  /** Resolves if the lease goes to another while it is held: what runs as the account must be stopped. */
  readonly lost: Promise<void>;
  /** Gives the account to the next. Only after its processes are gone and verified to be. */
  release(): void;
  /** Ends the beats without a release, so that the next taker finds it expired and reaps the account first. */
  abandon(): void;
}

export interface AccountLock {
  acquire(request: AcquireLock): Promise<AcquireOutcome>;
}

export interface AccountLockParts {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends every process of the account and verifies it; false when some live on (`CommandRunner.reapAccount`). */
  readonly reap: (account: string) => Promise<boolean>;
}

/**
 * The agent-account lock: one test run at a time as the account, over all projects and processes (12-engine,
 * Test runs). Invariants:
 *
 * - A hold is a lease with owner and fencing number; every beat and the release name both, so a holder that was
 *   taken over can do neither.
 * - Expiry is the taker's judgement alone: it has watched, by its own monotonic clock and at its own looks, that
 *   the beat did not change. Wall clocks are never compared, and one look counts as two periods at most, so
 *   neither a sleep nor a clock that jumps expires anything.
 * - An expired lease is taken over first and its account reaped second: the new fencing number keeps another
 *   taker from reaping what this one will start. A taker that dies in between leaves a lease that expires again.
 */
export function createAccountLock(parts: AccountLockParts): AccountLock {
  const { leases, clock, log } = parts;
  const waiters = new Set<() => void>();
  /** Accounts that this process holds: the store would give a lease again to its own owner. */
  const heldHere = new Set<string>();

  const nameOf = (account: string): string => `account:${account}`;

  const hold = (account: string, owner: string, lease: Lease): HeldLock => {
    let isHeld = true;
    let tellLost: () => void = () => undefined;
    const lost = new Promise<void>((resolve) => (tellLost = resolve));
    let lastBeat: EpochMs = lease.beatAt;
    let beatenAt = clock.monotonic();

    const end = (): void => {
      isHeld = false;
      timer.dispose();
      heldHere.delete(account);
    };
    const lose = (why: string): void => {
      log.warn('the account lock was lost', { account, fencing: lease.fencing, why });
      end();
      tellLost();
    };
    const beat = (): void => {
      // Always another value, whatever the wall clock does: waiters watch for a change.
      const at = Math.max(clock.now(), lastBeat + 1) as EpochMs;
      try {
        if (!leases.beat(nameOf(account), owner, lease.fencing, at)) {
          lose('taken over');
          return;
        }
        lastBeat = at;
        beatenAt = clock.monotonic();
      } catch (error) {
        log.warn('the account lock could not be renewed', { account, error: String(error) });
        if (clock.monotonic() - beatenAt >= EXPIRY) lose('not renewed in time');
      }
    };
    const timer: Disposable = clock.every(BEAT_PERIOD, beat);
    heldHere.add(account);

    return {
      fencing: lease.fencing,
      isHeld: () => isHeld,
      lost,
      release: () => {
        if (!isHeld) return;
        end();
        leases.release(nameOf(account), owner, lease.fencing);
        for (const wake of [...waiters]) wake();
      },
      abandon: () => {
        if (isHeld) end();
      },
    };
  };

  /** Until the next look is due or a holder of this process released. */
  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        timer.dispose();
        waiters.delete(wake);
        resolve();
      };
      const timer = clock.after(POLL_PERIOD, wake);
      waiters.add(wake);
    });

  return {
    async acquire({ account, owner, timeout, isStopped }) {
      const startedAt = clock.monotonic();
      const waitedMs = (): number => Math.round(clock.monotonic() - startedAt);
      const watch = createBeatWatch(clock);
      for (;;) {
        if (isStopped()) return { kind: 'stopped', waitedMs: waitedMs() };
        if (!heldHere.has(account)) {
          const free = leases.take(nameOf(account), owner, clock.now());
          if (free !== null) {
            return { kind: 'held', waitedMs: waitedMs(), lock: hold(account, owner, free) };
          }
          const seen = leases.get(nameOf(account));
          const taken =
            seen !== null && watch.isExpired(seen)
              ? leases.takeOver(nameOf(account), owner, seen.fencing, clock.now())
              : null;
          if (taken !== null) {
            log.info('an expired account lock was taken over', { account, fencing: taken.fencing });
            const lock = hold(account, owner, taken);
            const isReaped = await parts.reap(account).catch(() => false);
            if (isReaped && lock.isHeld()) {
              if (!isStopped()) return { kind: 'held', waitedMs: waitedMs(), lock };
              lock.release();
              return { kind: 'stopped', waitedMs: waitedMs() };
            }
            if (lock.isHeld()) {
              lock.abandon();
              return { kind: 'not-reaped', waitedMs: waitedMs() };
            }
            // Another took it over while we reaped: wait like everyone else.
          }
        }
        if (waitedMs() >= timeout) return { kind: 'timed-out', waitedMs: waitedMs() };
        await pause();
      }
    },
  };
}

/** Watches one lease and counts how long its beat has not changed, by looks and not by the time between them. */
function createBeatWatch(clock: Clock): { isExpired(lease: Lease): boolean } {
  let last: Lease | null = null;
  let lookedAt = 0;
  let unchangedMs = 0;
  return {
    isExpired(lease) {
      const now = clock.monotonic();
      const isSame =
        last !== null &&
        last.fencing === lease.fencing &&
        last.owner === lease.owner &&
        last.beatAt === lease.beatAt;
      unchangedMs = isSame ? unchangedMs + Math.min(now - lookedAt, 2 * POLL_PERIOD) : 0;
      last = lease;
      lookedAt = now;
      return unchangedMs >= EXPIRY;
    },
  };
}
