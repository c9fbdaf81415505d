import { describe, expect, test } from 'vitest';
import { createAccess } from '../../../../src-main/hosts/web/access.ts';
import { seconds } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

function world() {
  const clock = new FakeClock();
  let made = 0;
  const access = createAccess(clock, () => `secret-${(made += 1)}`);
  return { clock, access };
}

const admitted = (exchange: ReturnType<ReturnType<typeof world>['access']['exchange']>) => {
  if (exchange.kind !== 'admitted') throw new Error(`not admitted: ${exchange.kind}`);
  return exchange.secrets;
};

describe('a one-time link', () => {
  test('lets one browser in, once', () => {
    const { access } = world();
    const token = access.issueToken();
    const { cookie, key } = admitted(access.exchange(token));
    expect(access.opens(cookie, key)).toBe(true);
    expect(access.exchange(token)).toEqual({ kind: 'wrong' });
  });

  test('opens nothing after a quarter of an hour', () => {
    const { clock, access } = world();
    const token = access.issueToken();
    clock.advance(seconds(15 * 60));
    expect(access.exchange(token)).toEqual({ kind: 'wrong' });
  });

  test('is not looked at any more after ten wrong ones, for a minute', () => {
    const { clock, access } = world();
    const token = access.issueToken();
    for (let guess = 0; guess < 10; guess += 1) {
      expect(access.exchange(`guess ${guess}`)).toEqual({ kind: 'wrong' });
    }
    expect(access.exchange(token)).toEqual({ kind: 'too-many' });
    clock.advance(seconds(60));
    expect(access.exchange(token).kind).toBe('admitted');
  });

  test('gives way to newer ones that nobody has opened either', () => {
    const { access } = world();
    const tokens = Array.from({ length: 17 }, () => access.issueToken());
    expect(access.exchange(tokens[0] ?? '').kind).toBe('wrong');
    expect(access.exchange(tokens[1] ?? '').kind).toBe('admitted');
  });
});

describe('the secrets of a browser', () => {
  test('open only together, and only with each other', () => {
    const { access } = world();
    const one = admitted(access.exchange(access.issueToken()));
    const two = admitted(access.exchange(access.issueToken()));
    const asked = [
      [one.cookie, one.key],
      [two.cookie, two.key],
      [one.cookie, two.key],
      [two.cookie, one.key],
      [one.cookie, ''],
      [one.cookie, one.cookie],
      [null, one.key],
      ['', one.key],
    ] as const;
    expect(asked.map(([cookie, key]) => access.opens(cookie, key))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect([access.knowsCookie(one.cookie), access.knowsCookie(one.key), access.knowsCookie(null)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('of an earlier start open nothing', () => {
    const earlier = world().access;
    const { cookie, key } = admitted(earlier.exchange(earlier.issueToken()));
    const access = createAccess(new FakeClock(), () => 'other');
    expect([access.knowsCookie(cookie), access.opens(cookie, key)]).toEqual([false, false]);
  });

  test('of the browser that came first give way when very many have come', () => {
    const { access } = world();
    const first = admitted(access.exchange(access.issueToken()));
    for (let more = 0; more < 32; more += 1) access.exchange(access.issueToken());
    expect(access.opens(first.cookie, first.key)).toBe(false);
  });
});
