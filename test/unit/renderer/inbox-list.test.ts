import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  filterFrom,
  grouped,
  inboxPath,
  nextAfter,
  stepFrom,
} from '../../../src-renderer/features/inbox/inbox-list.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';

const ALL = { kind: null, project: null };
let made = 0;
function item(given: Partial<ItemView> = {}): ItemView {
  made += 1;
  const second = String(made % 60).padStart(2, '0');
  return {
    number: made,
    kind: 'specify',
    state: 'open',
    project: 'a',
    raisedAt: `2026-03-02T09:00:${second}.000Z`,
    respondedAt: null,
    delivery: 'none',
    ...given,
  } as ItemView;
}
const numbers = (items: readonly ItemView[]): number[] => items.map(({ number }) => number);

describe('what waits', () => {
  test('a permission comes first, then whoever waits longest', () => {
    const late = item({ raisedAt: '2026-03-02T10:00:00.000Z' });
    const permission = item({ kind: 'permission', raisedAt: '2026-03-02T11:00:00.000Z' });
    const early = item({ raisedAt: '2026-03-02T08:00:00.000Z' });
    expect(numbers(grouped([late, permission, early], ALL, null).waiting)).toEqual([
      permission.number,
      early.number,
      late.number,
    ]);
  });

  test('is narrowed by kind and project together', () => {
    const wanted = item({ kind: 'approve', project: 'b' });
    const items = [item({ kind: 'approve' }), item({ project: 'b' }), wanted];
    expect(grouped(items, { kind: 'approve', project: 'b' }, null).waiting).toEqual([wanted]);
  });
});

describe('what was closed', () => {
  const at = '2026-03-02T12:00:00.000Z';
  test('shows an answer until the agent has seen it, and the whole day once nothing waits', () => {
    const seen = item({ state: 'answered', delivery: 'seen', respondedAt: at });
    const stored = item({ state: 'answered', delivery: 'stored', respondedAt: at });
    const open = item();
    expect(numbers(grouped([seen, stored, open], ALL, null).answered)).toEqual([stored.number]);
    expect(numbers(grouped([seen, stored], ALL, null).answered)).toHaveLength(2);
  });

  test('tells apart what the kill switch closed, and not what had expired before it', () => {
    const before = item({ state: 'expired', respondedAt: '2026-03-02T11:00:00.000Z' });
    const killed = item({ state: 'expired', respondedAt: '2026-03-02T12:00:01.000Z' });
    expect(grouped([before, killed], ALL, at)).toMatchObject({ killed: [killed], answered: [before] });
    expect(grouped([before, killed], ALL, null).killed).toEqual([]);
  });
});

describe('moving', () => {
  test('after an answer the selection is the next item, at the end the one before, else nothing', () => {
    expect([nextAfter([1, 2, 3], 2), nextAfter([1, 2, 3], 3), nextAfter([1], 1)]).toEqual([3, 2, null]);
    expect(nextAfter([4, 5], 9)).toBe(4);
  });

  test('the ends of the list hold', () => {
    expect([stepFrom([1, 2], 1, -1), stepFrom([1, 2], 2, 1), stepFrom([1, 2], 1, 1)]).toEqual([1, 2, 2]);
    expect([stepFrom([], null, 1), stepFrom([7, 8], null, 1), stepFrom([7, 8], 99, -1)]).toEqual([
      null,
      7,
      7,
    ]);
  });

  test('a filter comes back from its address, whatever a project is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (project) => {
        const path = inboxPath(5, { kind: 'gate', project });
        expect(path.startsWith('/inbox/5?')).toBe(true);
        expect(filterFrom(path.slice(path.indexOf('?')))).toEqual({ kind: 'gate', project });
      }),
    );
    expect(filterFrom('?kind=nonsense')).toEqual(ALL);
  });
});
