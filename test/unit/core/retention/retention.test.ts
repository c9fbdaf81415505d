import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Project } from '../../../../src-shared/model/project.ts';
import type { Turn } from '../../../../src-shared/model/task.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { createRetention, cutoffsOf } from '../../../../src-main/core/retention/retention.ts';
import { makeProject } from '../../../support/core-builders.ts';
import { ServiceWorld } from '../../../support/service-world.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { createLeftoverFiles } from '../../../../src-main/adapters/leftover-files.ts';

const DAY = 24 * 3600 * 1000;

function setUp() {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  return { world, retention: createRetention(world.deps()) };
}

/** A task with one event, one transcript entry and one test output, all of that age. */
function addTexts(world: ServiceWorld, project: Project, ageDays: number, outputHash: string): Turn {
  const task = world.addTask(project, { state: 'done' });
  const at = epochMs(world.clock.now() - ageDays * DAY);
  const turn = world.addTurn(task, { from: at, to: at + 1 });
  const of = { taskId: task.id, turnId: turn.id, at };
  world.stores.events.append(
    [{ ...of, seq: 1, event: { kind: 'assistant', text: 'hello' } }],
    [{ ...of, sessionId: turn.sessionId, role: 'assistant', content: 'hello' }],
  );
  world.stores.testRuns.insert({
    id: world.ids.next('testRun'),
    taskId: task.id,
    runId: turn.runId,
    attemptId: turn.attemptId,
    purpose: 'test',
    commit: null,
    pid: null,
    processStart: null,
    state: 'passed',
    exitCode: 0,
    confinement: 'bubblewrap',
    outputHash,
    tail: 'ok',
    lockWaitMs: 0,
    startedAt: at,
    endedAt: at,
  });
  return turn;
}

const leftOf = (world: ServiceWorld, turn: Turn) => ({
  events: world.stores.events.page(turn.taskId, 0, 10).length,
  transcript: world.stores.events.transcript(turn.taskId, 0, 10).length,
  output: world.stores.testRuns.ofTask(turn.taskId).filter((run) => run.outputHash !== null).length,
});

test('defaults are 90 days for events, 365 for transcripts, 30 for test output; null is for ever', () => {
  const now = epochMs(1000 * DAY);
  expect([
    cutoffsOf(makeProject(), now),
    cutoffsOf(
      makeProject({
        settings: { keepTurnEventsDays: null, keepTranscriptsDays: null, keepTestOutputDays: null },
      }),
      now,
    ),
  ]).toEqual([
    { events: 910 * DAY, transcripts: 635 * DAY, testOutput: 970 * DAY },
    { events: null, transcripts: null, testOutput: null },
  ]);
});

test('each kind of text goes at its own age, and what went is one entry of numbers', async () => {
  const { world, retention } = setUp();
  const project = world.addProject();
  const turns = [10, 40, 100, 400].map((age) => addTexts(world, project, age, `hash-${age}`));
  await retention.run();
  expect(turns.map((turn) => leftOf(world, turn))).toEqual([
    { events: 1, transcript: 1, output: 1 },
    { events: 1, transcript: 1, output: 0 },
    { events: 0, transcript: 1, output: 0 },
    { events: 0, transcript: 0, output: 0 },
  ]);
  expect([...world.removedArtifacts].sort()).toEqual(['hash-100', 'hash-40', 'hash-400']);
  expect(world.ledger('retention.deleted').map((entry) => entry.data)).toMatchObject([
    { by: 'signalbox', turnEvents: 2, transcriptEntries: 1, testOutputs: 3 },
  ]);
});

test('a run that finds nothing to delete leaves no entry', async () => {
  const { world, retention } = setUp();
  addTexts(world, world.addProject(), 1, 'young');
  await retention.run();
  expect(world.ledger()).toEqual([]);
});

test('an output that a younger run shares stays', async () => {
  const { world, retention } = setUp();
  const project = world.addProject();
  addTexts(world, project, 50, 'same');
  addTexts(world, project, 1, 'same');
  await retention.run();
  expect(world.removedArtifacts).toEqual([]);
});

test('texts of a removed project age too, and for ever means for ever', async () => {
  const { world, retention } = setUp();
  const removed = addTexts(world, world.addProject({ removedAt: epochMs(1) }), 400, 'a');
  const kept = addTexts(
    world,
    world.addProject({
      settings: { keepTurnEventsDays: null, keepTranscriptsDays: null, keepTestOutputDays: null },
    }),
    4000,
    'b',
  );
  await retention.run();
  expect([leftOf(world, removed), leftOf(world, kept)]).toEqual([
    { events: 0, transcript: 0, output: 0 },
    { events: 1, transcript: 1, output: 1 },
  ]);
});

test('a file that could not be deleted is deleted the next time', async () => {
  const { world, retention } = setUp();
  addTexts(world, world.addProject(), 50, 'stuck');
  world.artifactFails = true;
  await retention.run();
  world.artifactFails = false;
  await retention.run();
  await retention.run();
  expect(world.removedArtifacts).toEqual(['stuck']);
});

test('it runs once a day however often it is asked', async () => {
  const { world, retention } = setUp();
  const project = world.addProject();
  addTexts(world, project, 29.9, 'first');
  await retention.runIfDue();
  world.clock.advance(3 * 3600 * 1000);
  await retention.runIfDue();
  expect(world.removedArtifacts).toEqual([]);
  world.clock.advance(DAY);
  await retention.runIfDue();
  expect(world.removedArtifacts).toEqual(['first']);
});

test('files that left a tree go with their task, at the age of test output, and never what something refers to', async () => {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  using folder = makeTempFolder('leftovers');
  const leftovers = createLeftoverFiles(folder.path);
  const retention = createRetention(Object.assign(world.deps(), { leftovers }));
  const project = world.addProject();
  const forEver = world.addProject({ settings: { keepTestOutputDays: null } });
  const add = (task: string, ageDays: number): string => {
    const at = String(world.clock.now() - ageDays * DAY);
    mkdirSync(folder.join(task, at, 'made/by/tests'), { recursive: true });
    writeFileSync(folder.join(task, at, 'made/by/tests/log'), 'x');
    return path.join(task, at);
  };
  const ended = world.addTask(project, { state: 'done' }).id;
  const keeping = world.addTask(project, { state: 'cancelled' }).id;
  world.stores.kept.put({
    taskId: keeping,
    projectId: project.id,
    ref: 'refs/signalbox/kept/x',
    commit: 'c'.repeat(40),
    reason: 'task cancelled',
    files: 1,
    at: world.clock.now(),
  });
  const gone = [add(ended, 40), add(ended, 31)];
  const stays = [
    add(ended, 29),
    add(keeping, 400),
    add(world.addTask(project, { state: 'parked' }).id, 400),
    add(world.addTask(forEver, { state: 'done' }).id, 400),
    add('tsk_unknown', 400),
    add('not-a-task', 400),
  ];
  await retention.run();
  await retention.run();
  expect(gone.filter((each) => existsSync(folder.join(each)))).toEqual([]);
  expect(stays.filter((each) => !existsSync(folder.join(each, 'made/by/tests/log')))).toEqual([]);
  expect(world.ledger('retention.deleted').map((entry) => entry.data)).toEqual([
    { by: 'signalbox', leftovers: 2 },
  ]);
  world.clock.advance(2 * DAY);
  await retention.run();
  expect(existsSync(folder.join(ended))).toBe(false);
});

test('where nothing was left there is nothing to remove, and a link in its place is not followed', async () => {
  using folder = makeTempFolder('leftovers');
  expect(await createLeftoverFiles(folder.join('none')).list()).toEqual([]);
  mkdirSync(folder.join('elsewhere/1'), { recursive: true });
  mkdirSync(folder.join('leftovers'));
  symlinkSync(folder.join('elsewhere'), folder.join('leftovers/tsk_1'));
  expect(await createLeftoverFiles(folder.join('leftovers')).list()).toEqual([]);
});
