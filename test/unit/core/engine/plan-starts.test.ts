import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planStarts } from '../../../../src-main/core/engine/plan-starts.ts';
import type { QueuedTask } from '../../../../src-main/core/engine/plan-starts.ts';
import type { ProjectId, TaskId } from '../../../../src-shared/ids.ts';

const task = (id: string, project: string, position: number, isContinuation = false): QueuedTask => ({
  taskId: id as TaskId,
  projectId: project as ProjectId,
  position,
  isContinuation,
});

test('answers come before fresh starts, and projects take turns after the one served last', () => {
  const queue = [task('a1', 'A', 1), task('a2', 'A', 2, true), task('b1', 'B', 1), task('c1', 'C', 1)];
  expect(planStarts(queue, null)).toEqual(['a2', 'b1', 'c1', 'a1']);
  expect(planStarts(queue, 'A' as ProjectId)).toEqual(['b1', 'c1', 'a2', 'a1']);
  expect(planStarts(queue, 'C' as ProjectId)).toEqual(['a2', 'b1', 'c1', 'a1']);
});

test('every queued task is planned once, and a project with one task is among the first of each round', () => {
  const queued = fc.uniqueArray(
    fc.record({ project: fc.constantFrom('A', 'B', 'C', 'D'), position: fc.nat(50), more: fc.boolean() }),
    { selector: (each) => `${each.project}${each.position}`, maxLength: 40 },
  );
  fc.assert(
    fc.property(queued, fc.constantFrom(null, 'A', 'B', 'C', 'D'), (list, last) => {
      const queue = list.map((each) =>
        task(`${each.project}${each.position}`, each.project, each.position, each.more),
      );
      const planned = planStarts(queue, last as ProjectId | null);
      expect([...planned].sort()).toEqual(queue.map((each) => each.taskId).sort());
      const projects = new Set(queue.map((each) => each.projectId));
      const firstRound = planned.slice(0, projects.size).map((id) => id.slice(0, 1));
      expect(new Set(firstRound).size).toBe(projects.size);
    }),
  );
});
