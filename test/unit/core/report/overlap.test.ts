import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProjectId } from '../../../../src-shared/ids.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { overlapOf, type ProcessSpan } from '../../../../src-main/core/report/overlap.ts';

const span = (project: string, from: number, to: number): ProcessSpan => ({
  projectId: project as ProjectId,
  from: epochMs(from),
  to: epochMs(to),
});

test('two projects overlap for as long as both have a process', () => {
  expect(overlapOf([span('a', 0, 100), span('b', 40, 250)])).toEqual({
    projectIds: ['a', 'b'],
    milliseconds: 60,
  });
});

test('two processes of one project do not overlap with each other', () => {
  expect(overlapOf([span('a', 0, 100), span('a', 40, 250)])).toEqual({ projectIds: [], milliseconds: 0 });
});

test('a process that begins in the millisecond in which another ends does not overlap with it', () => {
  expect(overlapOf([span('a', 0, 100), span('b', 100, 200)])).toEqual({ projectIds: [], milliseconds: 0 });
});

test('time in which three projects run counts once, and only those that met are named', () => {
  expect(overlapOf([span('a', 0, 100), span('b', 50, 150), span('c', 60, 90), span('d', 300, 400)])).toEqual({
    projectIds: ['a', 'b', 'c'],
    milliseconds: 50,
  });
});

test('a process that ends before it began, by a clock that went back, counts for nothing', () => {
  expect(overlapOf([span('a', 100, 0), span('b', 0, 100)])).toEqual({ projectIds: [], milliseconds: 0 });
});

/** Looks at every single millisecond. */
function naive(spans: readonly ProcessSpan[]): { projectIds: string[]; milliseconds: number } {
  const met = new Set<string>();
  let milliseconds = 0;
  for (let at = 0; at < 60; at += 1) {
    const running = new Set(
      spans.filter((each) => each.from <= at && at < each.to).map((each) => each.projectId),
    );
    if (running.size < 2) continue;
    milliseconds += 1;
    for (const projectId of running) met.add(projectId);
  }
  return { projectIds: [...met].sort(), milliseconds };
}

test('the sweep says the same as looking at every millisecond', () => {
  const anySpan = fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(59), fc.nat(59))
    .map(([project, from, to]) => span(project, from, to));
  fc.assert(
    fc.property(fc.array(anySpan, { maxLength: 12 }), (spans) => {
      expect(overlapOf(spans)).toEqual(naive(spans));
    }),
    { numRuns: 500 },
  );
});
