import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idBefore } from '../../../src-renderer/features/board/queue-order.ts';

/** What the hub does with a move: takes the task out and puts it before the named one, or at the end. */
function moved(ids: readonly string[], id: string, before: string | null): string[] {
  const others = ids.filter((each) => each !== id);
  const at = before === null ? others.length : others.indexOf(before);
  return [...others.slice(0, at), id, ...others.slice(at)];
}

test('a task ends up where it was dropped, wherever it came from', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.nat(),
      (ids, a, b) => {
        const [from, to] = [a % ids.length, b % ids.length];
        const id = ids[from] ?? '';
        expect(moved(ids, id, idBefore(ids, from, to)).indexOf(id)).toBe(to);
      },
    ),
  );
});
