import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ProjectId, TaskId, TestRunId } from '../../../src-shared/ids.ts';
import { epochMs } from '../../../src-shared/time.ts';
import type { StoredTurnEvent, TranscriptEntry } from '../../../src-main/core/ports/stores.ts';
import { HOSTILE, PROJECT, SESSION, TASK, TURN, addGraph, item, project, task, testRun } from './models.ts';
import { StoreBench } from './opened.ts';

const event = (seq: number, at: number, taskId: TaskId = TASK): Omit<StoredTurnEvent, 'id'> => ({
  taskId,
  turnId: TURN,
  seq,
  at: epochMs(at),
  event: { kind: 'assistant', text: `${HOSTILE}${seq}` },
});
const entry = (at: number, taskId: TaskId = TASK): Omit<TranscriptEntry, 'id'> => ({
  taskId,
  turnId: TURN,
  sessionId: SESSION,
  role: 'tool',
  content: `${HOSTILE}${at}`,
  at: epochMs(at),
});
const OTHER = 'tsk_other' as TaskId;

test('events and transcripts come back in order, page by page, of one task', () => {
  using bench = new StoreBench();
  const { events } = bench.open();
  const batch = Array.from({ length: 7 }, (_, index) => event(index, index, index % 3 === 2 ? OTHER : TASK));
  events.append(batch.slice(0, 4), [entry(1), entry(2, OTHER)]);
  events.append(batch.slice(4), [entry(3)]);
  events.append([], []);
  const stored = batch
    .map((each, index) => ({ ...each, id: index + 1 }))
    .filter((each) => each.taskId === TASK);
  expect(events.page(TASK, 0, 100)).toEqual(stored);
  expect(events.page(TASK, 1, 2)).toEqual(stored.slice(1, 3));
  expect(events.transcript(TASK, 0, 100)).toEqual([
    { ...entry(1), id: 1 },
    { ...entry(3), id: 3 },
  ]);
  expect([events.last(TASK), events.last('tsk_none' as TaskId)]).toEqual([{ id: 7, at: 6 }, null]);
});

test('what is older than a moment is deleted in one project, and ids are not given again', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.projects.insert(project({ id: 'prj_b' as ProjectId, name: 'b' }));
  stores.tasks.insert(task({ id: OTHER, projectId: 'prj_b' as ProjectId }));
  const { events } = stores;
  events.append(
    [1, 2, 3, 4].flatMap((at) => [event(at, at), event(at, at, OTHER)]),
    [entry(1), entry(9), entry(1, OTHER)],
  );
  expect(events.deleteBefore(PROJECT, 'events', epochMs(3))).toBe(2);
  expect(events.page(TASK, 0, 100).map(({ at }) => at)).toEqual([3, 4]);
  expect(events.page(OTHER, 0, 100)).toHaveLength(4);
  expect(events.transcript(TASK, 0, 100)).toHaveLength(2);
  expect(events.deleteBefore(PROJECT, 'transcripts', epochMs(9))).toBe(1);
  expect(events.transcript(OTHER, 0, 100)).toHaveLength(1);
  expect(events.deleteBefore(PROJECT, 'events', epochMs(100))).toBe(2);
  expect(events.deleteBefore('prj_b' as ProjectId, 'events', epochMs(100))).toBe(4);
  events.append([event(1, 200)], []);
  expect(events.page(TASK, 0, 100).map(({ id }) => id)).toEqual([9]);
});

test('more rows than one transaction takes are deleted too', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.events.append(
    Array.from({ length: 12_345 }, (_, index) => event(index, index)),
    [],
  );
  expect(stores.events.deleteBefore(PROJECT, 'events', epochMs(12_000))).toBe(12_000);
  expect(stores.transaction(() => stores.events.deleteBefore(PROJECT, 'events', epochMs(99_999)))).toBe(345);
});

test('a deletion within a transaction that fails does not happen', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  stores.events.append([event(1, 1)], []);
  expect(() =>
    stores.transaction(() => {
      stores.events.deleteBefore(PROJECT, 'events', epochMs(5));
      throw new Error('back');
    }),
  ).toThrow('back');
  expect(stores.events.page(TASK, 0, 10)).toHaveLength(1);
});

test('the output of old test runs is forgotten, and names the artifacts that nothing refers to any more', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  addGraph(stores);
  const shared = 'a'.repeat(64);
  const alone = 'b'.repeat(64);
  const made = (id: string, outputHash: string, endedAt: number | null): void =>
    stores.testRuns.insert(
      testRun({ id: id as TestRunId, outputHash, endedAt: endedAt === null ? null : epochMs(endedAt) }),
    );
  made('tst_1', shared, 10);
  made('tst_2', alone, 10);
  made('tst_3', shared, 20);
  made('tst_4', 'c'.repeat(64), null);
  expect(stores.texts.forgetTestOutput(PROJECT, epochMs(15))).toEqual({ testRuns: 2, unusedHashes: [alone] });
  expect(stores.texts.forgetTestOutput(PROJECT, epochMs(15))).toEqual({ testRuns: 0, unusedHashes: [] });
  expect(stores.testRuns.ofTask(TASK).map(({ tail, outputHash }) => [tail === '', outputHash])).toEqual([
    [true, null],
    [true, null],
    [false, shared],
    [false, 'c'.repeat(64)],
  ]);
});

test('a purge leaves none of a project’s texts in the file, and all of its figures and facts', () => {
  using bench = new StoreBench();
  const stores = bench.open();
  const secret = 'Lakshmi-Iyer-74021';
  addGraph(stores);
  stores.projects.update(project({ settings: { ...project().settings, denyNames: [secret] } }));
  stores.tasks.update({ ...task({ title: secret, description: secret }), number: 1 as never });
  const graph = stores.turns.get(TURN);
  if (graph === null) throw new Error('no turn');
  stores.turns.update({ ...graph, prompt: secret.repeat(900) });
  stores.items.insert(
    item({ question: secret, answer: secret, details: [secret], options: [secret], summary: secret }),
  );
  stores.testRuns.insert(testRun({ tail: secret, outputHash: 'a'.repeat(64), endedAt: epochMs(5) }));
  stores.events.append(
    [{ ...event(1, 1), event: { kind: 'assistant', text: secret } }],
    [{ ...entry(1), content: secret }],
  );
  stores.ledger.append({ kind: 'task.added', projectId: PROJECT, taskId: TASK });
  const before = { booked: stores.turns.booked({}), reserved: stores.turns.reserved({}) };
  expect(stores.texts.purge(PROJECT)).toEqual({ unusedHashes: ['a'.repeat(64)] });
  expect({ booked: stores.turns.booked({}), reserved: stores.turns.reserved({}) }).toEqual(before);
  expect(stores.items.get(1 as never)).toMatchObject({
    state: 'open',
    options: [],
    answer: null,
    offer: { notes: [] },
  });
  expect(stores.ledger.verify({ full: true })).toMatchObject({ ok: true, entries: 1 });
  stores.dispose();
  expect(readFileSync(bench.file).includes(secret)).toBe(false);
});
