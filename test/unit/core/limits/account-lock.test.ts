import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BEAT_PERIOD,
  createAccountLock,
  EXPIRY,
  POLL_PERIOD,
  type AccountLock,
  type AcquireOutcome,
  type HeldLock,
} from '../../../../src-main/core/limits/account-lock.ts';
import type { Lease, LeaseStore } from '../../../../src-main/core/ports/stores.ts';
import type { Clock, Log } from '../../../../src-main/core/ports/world.ts';
import type { EpochMs } from '../../../../src-shared/time.ts';
import { minutes } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

/** The rules of `store/lease-store.ts`, in memory, with a record of who was let in. */
class MemoryLeases implements LeaseStore {
  private row: { owner: string | null; fencing: number; beatAt: EpochMs } | null = null;
  failing = false;
  readonly refused: string[] = [];

  private lease(name: string): Lease | null {
    const { row } = this;
    return row === null || row.owner === null
      ? null
      : { name, owner: row.owner, fencing: row.fencing, beatAt: row.beatAt };
  }
  get(name: string): Lease | null {
    return this.lease(name);
  }
  take(name: string, owner: string, at: EpochMs): Lease | null {
    if (this.row !== null && this.row.owner !== null && this.row.owner !== owner) return null;
    const isSame = this.row?.owner === owner;
    this.row = { owner, fencing: (this.row?.fencing ?? 0) + (isSame ? 0 : 1), beatAt: at };
    return this.lease(name);
  }
  takeOver(name: string, owner: string, seenFencing: number, at: EpochMs): Lease | null {
    if (this.row === null || this.row.fencing !== seenFencing) return null;
    this.row = { owner, fencing: seenFencing + 1, beatAt: at };
    return this.lease(name);
  }
  beat(_name: string, owner: string, fencing: number, at: EpochMs): boolean {
    if (this.failing) throw new Error('the disk is full');
    if (this.row?.owner !== owner || this.row.fencing !== fencing) {
      this.refused.push(`beat ${owner}`);
      return false;
    }
    this.row.beatAt = at;
    return true;
  }
  release(_name: string, owner: string, fencing: number): void {
    if (this.row?.owner === owner && this.row.fencing === fencing) this.row.owner = null;
    else this.refused.push(`release ${owner}`);
  }
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** One process of several that share a store; a process that stands still is a clock whose timers do not run. */
function makeTaker(
  leases: LeaseStore,
  reap: (account: string) => Promise<boolean> = () => Promise.resolve(true),
) {
  const clock = new FakeClock();
  const lock = createAccountLock({ leases, clock, log: silent, reap });
  return { clock, lock };
}

const acquire = (
  lock: AccountLock,
  owner: string,
  more: { timeout?: ReturnType<typeof minutes>; isStopped?: () => boolean } = {},
): Promise<AcquireOutcome> =>
  lock.acquire({ account: 'agent', owner, timeout: minutes(10), isStopped: () => false, ...more });

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const stepBy = async (by: number, ...clocks: readonly FakeClock[]): Promise<void> => {
  for (let left = by; left > 0; left -= 500) {
    for (const clock of clocks) clock.advance(Math.min(500, left));
    await settle();
  }
};
const held = (outcome: AcquireOutcome): HeldLock => {
  if (outcome.kind !== 'held') throw new Error(`not held: ${outcome.kind}`);
  return outcome.lock;
};
const stateOf = async (outcome: Promise<AcquireOutcome>): Promise<string> =>
  Promise.race([outcome.then(({ kind }) => kind), settle().then(() => 'waiting')]);

describe('waiting', () => {
  test('a free account is held at once, and beats only while it is held', async () => {
    const { clock, lock } = makeTaker(new MemoryLeases());
    const outcome = await acquire(lock, 'a');
    expect(outcome).toMatchObject({ kind: 'held', waitedMs: 0 });
    expect(clock.pending).toBe(1);
    held(outcome).release();
    expect([clock.pending, held(outcome).isHeld()]).toEqual([0, false]);
  });

  test('a second taker of the same process gets it when the first releases, without waiting for a look', async () => {
    const { clock, lock } = makeTaker(new MemoryLeases());
    const first = held(await acquire(lock, 'a'));
    const second = acquire(lock, 'b');
    await stepBy(2_500, clock);
    expect(await stateOf(second)).toBe('waiting');
    first.release();
    expect(await second).toMatchObject({ kind: 'held', waitedMs: 2_500 });
    expect(held(await second).fencing).toBe(2);
  });

  test('another process gets it at its next look', async () => {
    const leases = new MemoryLeases();
    const [one, two] = [makeTaker(leases), makeTaker(leases)];
    const first = held(await acquire(one.lock, 'a'));
    const second = acquire(two.lock, 'b');
    await stepBy(3_000, one.clock, two.clock);
    first.release();
    await stepBy(POLL_PERIOD, one.clock, two.clock);
    expect(await second).toMatchObject({ kind: 'held', waitedMs: 4_000 });
  });

  test('a waiter gives up at its time limit and says how long it waited', async () => {
    const { clock, lock } = makeTaker(new MemoryLeases());
    held(await acquire(lock, 'a'));
    const second = acquire(lock, 'b', { timeout: minutes(1) });
    await stepBy(60_000, clock);
    expect(await second).toEqual({ kind: 'timed-out', waitedMs: 60_000 });
  });

  test('a waiter sees the kill switch at its next look', async () => {
    let isStopped = false;
    const { clock, lock } = makeTaker(new MemoryLeases());
    held(await acquire(lock, 'a'));
    const second = acquire(lock, 'b', { isStopped: () => isStopped });
    await stepBy(1_500, clock);
    isStopped = true;
    await stepBy(POLL_PERIOD, clock);
    expect(await second).toMatchObject({ kind: 'stopped' });
    expect(await acquire(lock, 'c', { isStopped: () => true })).toEqual({ kind: 'stopped', waitedMs: 0 });
  });
});

describe('expiry', () => {
  test('a dead holder is taken over once its beat stood still, and the account is reaped before it is handed out', async () => {
    const leases = new MemoryLeases();
    const order: string[] = [];
    const dead = makeTaker(leases);
    const old = held(await acquire(dead.lock, 'dead'));
    const taker = makeTaker(leases, () => {
      order.push(`reaped while ${leases.get('x')?.owner ?? 'nobody'} holds`);
      return Promise.resolve(true);
    });
    const waiting = acquire(taker.lock, 'b');
    await stepBy(EXPIRY - POLL_PERIOD, taker.clock);
    expect([await stateOf(waiting), order]).toEqual(['waiting', []]);
    await stepBy(2 * POLL_PERIOD, taker.clock);
    expect([held(await waiting).fencing, order]).toEqual([2, ['reaped while b holds']]);
    // The old one was only asleep: it finds out at its next beat and can do nothing.
    dead.clock.advance(BEAT_PERIOD);
    await old.lost;
    old.release();
    expect([old.isHeld(), leases.get('x')?.owner, leases.refused]).toEqual([false, 'b', ['beat dead']]);
  });

  test('an account that cannot be reaped is handed to nobody, and the next taker reaps again', async () => {
    const leases = new MemoryLeases();
    held(await acquire(makeTaker(leases).lock, 'dead'));
    const [failing, next] = [makeTaker(leases, () => Promise.resolve(false)), makeTaker(leases)];
    const first = acquire(failing.lock, 'b');
    await stepBy(EXPIRY + POLL_PERIOD, failing.clock);
    expect(await first).toMatchObject({ kind: 'not-reaped' });
    expect(failing.clock.pending).toBe(0);
    const second = acquire(next.lock, 'c');
    expect(await stateOf(second)).toBe('waiting');
    await stepBy(EXPIRY + POLL_PERIOD, next.clock);
    expect(held(await second).fencing).toBe(3);
  });

  test('a reaper that throws is one that did not reap', async () => {
    const leases = new MemoryLeases();
    held(await acquire(makeTaker(leases).lock, 'dead'));
    const taker = makeTaker(leases, () => Promise.reject(new Error('no sudo')));
    const outcome = acquire(taker.lock, 'b');
    await stepBy(EXPIRY + POLL_PERIOD, taker.clock);
    expect(await outcome).toMatchObject({ kind: 'not-reaped' });
  });

  test('an abandoned hold expires like that of a dead process', async () => {
    const leases = new MemoryLeases();
    const { clock, lock } = makeTaker(leases);
    held(await acquire(lock, 'a')).abandon();
    const next = acquire(lock, 'b');
    expect(await stateOf(next)).toBe('waiting');
    await stepBy(EXPIRY + POLL_PERIOD, clock);
    expect(held(await next).fencing).toBe(2);
  });

  test.each([
    ['forward by a day', 24 * 3600 * 1000],
    ['back by a day', -24 * 3600 * 1000],
  ])('a wall clock that jumps %s steals nothing', async (_how, by) => {
    const leases = new MemoryLeases();
    const [one, two] = [makeTaker(leases), makeTaker(leases)];
    const first = held(await acquire(one.lock, 'a'));
    const second = acquire(two.lock, 'b');
    for (const { clock } of [one, two]) clock.set(clock.now() + by);
    await stepBy(4 * EXPIRY, one.clock, two.clock);
    expect([await stateOf(second), first.isHeld()]).toEqual(['waiting', true]);
    one.clock.set(one.clock.now() - by);
    await stepBy(2 * EXPIRY, one.clock, two.clock);
    expect([await stateOf(second), first.isHeld()]).toEqual(['waiting', true]);
  });

  test('a sleep of the machine steals nothing, whoever wakes first', async () => {
    const leases = new MemoryLeases();
    const one = makeTaker(leases);
    const first = held(await acquire(one.lock, 'a'));
    const sleeper = new FakeClock();
    let sleptMs = 0;
    // A monotonic clock that counts the sleep, as some systems' do.
    const clock: Clock = {
      ...boundClock(sleeper),
      monotonic: () => (sleeper.monotonic() + sleptMs) as ReturnType<Clock['monotonic']>,
    };
    const lock = createAccountLock({ leases, clock, log: silent, reap: () => Promise.resolve(true) });
    const second = acquire(lock, 'b', { timeout: minutes(10_000) });
    await stepBy(5_000, one.clock, sleeper);
    sleptMs = 8 * 3600 * 1000;
    await stepBy(POLL_PERIOD, sleeper);
    expect(await stateOf(second)).toBe('waiting');
    await stepBy(2 * EXPIRY, one.clock, sleeper);
    expect([await stateOf(second), first.isHeld()]).toEqual(['waiting', true]);
  });

  test('a holder that cannot renew its lease counts it as lost when others may take it', async () => {
    const leases = new MemoryLeases();
    const { clock, lock } = makeTaker(leases);
    const first = held(await acquire(lock, 'a'));
    leases.failing = true;
    await stepBy(EXPIRY - BEAT_PERIOD, clock);
    expect(first.isHeld()).toBe(true);
    await stepBy(2 * BEAT_PERIOD, clock);
    await first.lost;
    expect([first.isHeld(), clock.pending]).toEqual([false, 0]);
  });

  test('of two takers of an expired lease one wins and the other waits for it', async () => {
    const leases = new MemoryLeases();
    held(await acquire(makeTaker(leases).lock, 'dead'));
    let reaps = 0;
    const takers = [1, 2].map(() =>
      makeTaker(leases, () => {
        reaps += 1;
        return Promise.resolve(true);
      }),
    );
    const clocks = takers.map(({ clock }) => clock);
    const outcomes = takers.map(({ lock }, at) => acquire(lock, `t${at}`));
    await stepBy(EXPIRY + 3 * POLL_PERIOD, ...clocks);
    const states = await Promise.all(outcomes.map(stateOf));
    expect([states.toSorted(), reaps]).toEqual([['held', 'waiting'], 1]);
    const winner = states.indexOf('held');
    held(await (outcomes[winner] as Promise<AcquireOutcome>)).release();
    await stepBy(POLL_PERIOD, ...clocks);
    expect(held(await (outcomes[1 - winner] as Promise<AcquireOutcome>)).fencing).toBe(3);
  });
});

/** The methods of a fake clock, bound, so that one can be replaced. */
const boundClock = (clock: FakeClock): Clock => ({
  now: () => clock.now(),
  monotonic: () => clock.monotonic(),
  localDay: (at) => clock.localDay(at),
  nextMidnight: (at) => clock.nextMidnight(at),
  startOfMonth: (at) => clock.startOfMonth(at),
  after: (delay, run) => clock.after(delay, run),
  every: (period, run) => clock.every(period, run),
});

test('whatever processes run, stand still, release and abandon: fencing numbers only grow, and an older hold does nothing', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('acquire' as const), who: fc.nat(2) }),
    fc.record({ do: fc.constant('release' as const), who: fc.nat(2) }),
    fc.record({ do: fc.constant('abandon' as const), who: fc.nat(2) }),
    // Time passes for some of the processes only: the others are stopped or asleep.
    fc.record({ do: fc.constant('run' as const), who: fc.nat(7), ms: fc.integer({ min: 500, max: 20_000 }) }),
    fc.record({ do: fc.constant('jump' as const), who: fc.nat(2), ms: fc.integer({ min: -1e8, max: 1e8 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const leases = new MemoryLeases();
      const takers = [0, 1, 2].map(() => makeTaker(leases));
      const holds: { readonly who: number; readonly lock: HeldLock }[] = [];
      const fencings: number[] = [];
      let owners = 0;
      for (const one of steps) {
        const taker = takers[one.who % 3] ?? makeTaker(leases);
        if (one.do === 'acquire') {
          owners += 1;
          void acquire(taker.lock, `o${owners}`, { timeout: minutes(60) }).then((outcome) => {
            if (outcome.kind !== 'held') return;
            holds.push({ who: one.who % 3, lock: outcome.lock });
            fencings.push(outcome.lock.fencing);
          });
        } else if (one.do === 'run') {
          await stepBy(
            one.ms,
            ...takers.filter((_, at) => ((one.who + 1) & (1 << at)) !== 0).map(({ clock }) => clock),
          );
        } else if (one.do === 'jump') {
          taker.clock.set(taker.clock.now() + one.ms);
        } else {
          const before = leases.get('x');
          for (const hold of holds.filter(({ who }) => who === one.who)) hold.lock[one.do]();
          const after = leases.get('x');
          // Only the newest hold can change anything.
          const newest = holds.find(({ lock }) => lock.fencing === before?.fencing);
          if (newest?.who !== one.who) expect(after).toEqual(before);
        }
        await settle();
        // In one process two holds never stand at once; across processes a stopped one learns of it at its next beat.
        for (const who of [0, 1, 2]) {
          expect(holds.filter((hold) => hold.who === who && hold.lock.isHeld()).length).toBeLessThanOrEqual(
            1,
          );
        }
      }
      expect(new Set(fencings).size).toBe(fencings.length);
      expect(fencings).toEqual(fencings.toSorted((a, b) => a - b));
    }),
    { numRuns: 150 },
  );
}, 60_000);
