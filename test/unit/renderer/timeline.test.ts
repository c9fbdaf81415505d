import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { likelyHeight } from '../../../src-renderer/features/task/row-height.ts';
import { newerThan, timelineRows } from '../../../src-renderer/features/task/timeline-rows.ts';
import { EMPTY, nextStretch } from '../../../src-renderer/features/task/use-timeline.ts';
import type { TurnEventView, TurnView } from '../../../src-shared/api/timeline.ts';

const AT = '2026-11-30T10:00:00.000Z';
const LATER = '2026-11-30T10:05:00.000Z';

const event = (id: number, more: Partial<TurnEventView> = {}): TurnEventView => ({
  id,
  turnId: 't1',
  at: AT,
  kind: 'assistant',
  text: `text ${id}`,
  chars: 6,
  isCut: false,
  tool: null,
  toolId: null,
  path: null,
  isError: false,
  change: null,
  facts: {},
  ...more,
});
const turn = (id: string, more: Partial<TurnView> = {}): TurnView => ({
  id,
  number: 1,
  kind: 'start',
  attemptId: 'a',
  sessionId: 's',
  item: null,
  waitedS: null,
  state: 'settled',
  outcome: 'done',
  costUsd: 0,
  costBasis: 'reported',
  startedAt: AT,
  endedAt: AT,
  ...more,
});
const read = (id: number, isError = false): TurnEventView[] => [
  event(id, { kind: 'tool', tool: 'Read', toolId: `r${id}`, path: `f${id}` }),
  event(id + 1, { kind: 'tool-result', toolId: `r${id}`, isError }),
];
const kinds = (...args: Parameters<typeof timelineRows>): string[] =>
  timelineRows(...args).map((row) => row.kind);

describe('rows of the timeline', () => {
  test('reads in a row are one line, until something else comes or one fails', () => {
    const events = [...read(1), ...read(3), event(5), ...read(6), ...read(8, true)];
    expect(kinds(events, [turn('t1')], true, true)).toEqual([
      'turn-start',
      'reads',
      'said',
      'reads',
      'tool',
      'turn-end',
    ]);
  });

  test.each([
    ['a question', { outcome: 'question' }, { kind: 'answer', item: 1, waitedS: 20 }],
    ['work that is sent back', { outcome: 'done' }, { kind: 'send-back', item: 1, waitedS: 20 }],
  ])(
    'how long %s waited for a person is a line of its own, without the time until the turn began',
    (...given) => {
      const [, before, after] = given;
      const turns = [turn('t1', before), turn('t2', { ...after, startedAt: LATER })];
      const rows = timelineRows([event(1), event(2, { turnId: 't2' })], turns, true, true);
      expect(rows.filter((row) => row.kind === 'waited')).toMatchObject([{ ms: 20_000 }]);
    },
  );

  test('a turn that no person was waited for has no such line', () => {
    const turns = [turn('t1'), turn('t2', { kind: 'tests-failed', startedAt: LATER })];
    expect(kinds([event(1), event(2, { turnId: 't2' })], turns, true, true)).not.toContain('waited');
  });

  test('a turn that has said nothing yet is shown at the live end, and the beginning of a cut turn is not', () => {
    const turns = [turn('t1'), turn('t2', { endedAt: null, outcome: null, state: 'running' })];
    expect(kinds([event(9)], turns, false, true)).toEqual(['said', 'turn-end', 'turn-start']);
  });

  test('keys are unique and those of what is shown do not change when older events are loaded', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('said', 'read', 'edit'), { maxLength: 30 }),
        fc.nat(30),
        (plan, cut) => {
          const events = plan.flatMap((what, index) =>
            what === 'read'
              ? read(index * 2 + 1)
              : [
                  event(
                    index * 2 + 1,
                    what === 'edit' ? { kind: 'tool', tool: 'Edit', toolId: `x${index}` } : {},
                  ),
                ],
          );
          const all = timelineRows(events, [turn('t1')], true, true).map((row) => row.key);
          expect(new Set(all).size).toBe(all.length);
          const part = timelineRows(events.slice(cut), [turn('t1')], false, true);
          for (const row of part) expect(all).toContain(row.key);
        },
      ),
    );
  });
});

describe('the height of a line before it is drawn', () => {
  const heightOf = (more: Partial<TurnEventView>): number =>
    likelyHeight(timelineRows([event(1, more)], [turn('t1')], false, false)[0]);

  test('grows with the lines of what was said and of what was changed, up to as many as are shown', () => {
    const changed = (count: number): number =>
      heightOf({
        kind: 'tool',
        tool: 'Edit',
        change: {
          added: count,
          removed: 0,
          lines: Array.from({ length: count }, () => ({ sign: '+' as const, text: 'x' })),
        },
      });
    expect(heightOf({ text: 'one\ntwo' })).toBeGreaterThan(heightOf({ text: 'one' }));
    expect(heightOf({ text: 'word '.repeat(60) })).toBeGreaterThan(heightOf({ text: 'one\ntwo' }));
    expect(heightOf({ text: 'x\n'.repeat(500) })).toBe(heightOf({ text: 'x\n'.repeat(12) }));
    expect(changed(2)).toBeGreaterThan(changed(0));
    expect(changed(100)).toBe(changed(6));
  });
});

test('a turn of a hundred thousand reads is one line', () => {
  const events = Array.from({ length: 50_000 }, (_, index) => read(index * 2 + 1)).flat();
  const rows = timelineRows(events, [turn('t1', { endedAt: null })], false, true);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ kind: 'reads', key: 'e99999' });
});

test('events that come twice, by a page and by following, are taken once', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(40), { maxLength: 8 }), { maxLength: 8 }), (batches) => {
      let stretch = EMPTY;
      let sent = 0;
      for (const batch of batches) {
        // A follower sends in order, but may begin again at an older one after a reconnect.
        const from = Math.max(0, sent - (batch[0] ?? 0));
        sent = Math.max(sent, from + batch.length);
        const events = batch.map((_, index) => event(from + index + 1));
        stretch = nextStretch(stretch, { kind: 'came', events });
      }
      const ids = stretch.events.map(({ id }) => id);
      expect(ids).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
    }),
  );
});

describe('what came since the newest that was seen', () => {
  test('is counted without figures, signs of life and results, which are no line of their own', () => {
    const events = [
      event(1),
      event(2, { kind: 'usage' }),
      ...read(3),
      event(5, { kind: 'activity' }),
      event(6, { kind: 'session' }),
      event(7, { kind: 'denied' }),
    ];
    expect(newerThan(events, 0)).toBe(3);
    expect(newerThan(events, 1)).toBe(2);
    expect(newerThan(events, 3)).toBe(1);
    expect(newerThan(events, 7)).toBe(0);
    expect(newerThan([], 0)).toBe(0);
  });

  test('is counted from an event that is not loaded any more, and none from one that is yet to come', () => {
    const events = [event(50), event(51)];
    expect([newerThan(events, 10), newerThan(events, 99)]).toEqual([2, 0]);
  });
});
