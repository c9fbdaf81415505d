import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBusy, orderOf, shownOrder } from '../../../src-renderer/features/board/row-order.ts';
import type { BoardProjectView, BoardQueueView, BoardSlotView } from '../../../src-shared/api/board.ts';

interface Given {
  readonly runs?: boolean;
  readonly queues?: boolean;
  readonly asks?: boolean;
  readonly isOff?: boolean;
}
/** A project of the board, by what its place depends on. */
const row = (name: string, given: Given = {}): BoardProjectView =>
  ({
    project: { id: `id-${name}`, name, enabled: given.isOff !== true },
    slots: given.runs === true ? [{} as BoardSlotView] : [],
    queue: given.queues === true ? [{} as BoardQueueView] : [],
    openItems: given.asks === true ? 1 : 0,
  }) as unknown as BoardProjectView;
const names = (ids: readonly string[]): string[] => ids.map((id) => id.replace('id-', ''));

describe('the rows of the board', () => {
  test('come with what runs or is queued first, then what waits for a person, what is idle, what is off', () => {
    const board = [
      row('off', { isOff: true }),
      row('idle'),
      row('asking', { asks: true }),
      row('queued', { queues: true }),
      row('running', { runs: true }),
    ];
    expect(names(orderOf(board))).toEqual(['queued', 'running', 'asking', 'idle', 'off']);
  });

  test('are by name where nothing tells them apart', () => {
    expect(names(orderOf([row('b'), row('C'), row('a')]))).toEqual(['a', 'b', 'C']);
  });

  test('are tall while something runs or is queued, even in a project that is off', () => {
    expect([row('a', { runs: true, isOff: true }), row('b', { queues: true }), row('c')].map(isBusy)).toEqual(
      [true, true, false],
    );
    expect(names(orderOf([row('idle'), row('stopping', { runs: true, isOff: true })]))).toEqual([
      'stopping',
      'idle',
    ]);
  });

  test('stay where they are while the board is used; what came meanwhile is at the end, what went is gone', () => {
    const kept = ['id-idle', 'id-gone', 'id-running'];
    const board = [row('running', { runs: true }), row('idle'), row('new', { runs: true })];
    expect(names(shownOrder(board, kept, true))).toEqual(['idle', 'running', 'new']);
    expect(names(shownOrder(board, kept, false))).toEqual(['new', 'running', 'idle']);
    expect(names(shownOrder(board, null, true))).toEqual(['new', 'running', 'idle']);
  });

  test('are all there, each once, whatever was shown before', () => {
    const letters = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
    fc.assert(
      fc.property(letters, fc.option(letters), fc.boolean(), (there, before, isInUse) => {
        const kept = before?.map((name) => `id-${name}`) ?? null;
        const shown = names(
          shownOrder(
            there.map((name) => row(name)),
            kept,
            isInUse,
          ),
        );
        expect(shown.toSorted()).toEqual(there.toSorted());
      }),
    );
  });
});
