/**
 * P5: how the store answers when it is large. Fills a store at three sizes and asks what the windows and the
 * dispatcher ask; a figure may grow with the logarithm of the size and with the page, not with the size.
 *
 * `node test/bench/store.ts` runs it alone. `SIGNALBOX_BENCH_STORE=full` fills up to the bar's own size (1M ledger
 * entries, 10M turn events, 10k tasks: some ten minutes and 3 GB of disk); any number is the largest count of
 * ledger entries.
 */
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { ItemNumber, ProjectId, RunId, AttemptId, TaskId, TurnId } from '../../src-shared/ids.ts';
import { microUsd } from '../../src-shared/money.ts';
import type { EpochMs, LocalDay } from '../../src-shared/time.ts';
import { epochMs } from '../../src-shared/time.ts';
import type { SqliteStores } from '../../src-main/store/open-store.ts';
import { openStore } from '../../src-main/store/open-store.ts';
import { attempt, item, launch, project, run as runOf, task, turn } from '../integration/store/models.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { makeTempFolder } from '../support/temp-folder.ts';
import { TestIds } from '../support/test-ids.ts';
import type { BenchRow } from './bench-row.ts';

const FULL = 1_000_000;
const DEFAULT = 60_000;
const PROJECTS = 8;
const DAYS = 90;
const OPEN_ITEMS = 40;
const BATCH = 5_000;
const DAY_MS = 24 * 3600 * 1000;

interface Size {
  readonly entries: number;
  readonly events: number;
  readonly tasks: number;
}
const sizeOf = (entries: number): Size => ({
  entries,
  events: entries * 10,
  tasks: Math.max(10, Math.round(entries / 100)),
});

const projectId = (index: number): ProjectId => `prj_${index % PROJECTS}` as ProjectId;
const taskId = (index: number): TaskId => `tsk_${String(index).padStart(8, '0')}` as TaskId;
const turnId = (index: number): TurnId => `trn_${String(index).padStart(8, '0')}` as TurnId;

function addTask(stores: SqliteStores, index: number, size: Size, now: EpochMs): void {
  const ids = { run: `run_${index}` as RunId, attempt: `att_${index}` as AttemptId };
  const isOpen = index >= size.tasks - OPEN_ITEMS;
  const own = { taskId: taskId(index), projectId: projectId(index) };
  const base = { ...own, runId: ids.run };
  stores.tasks.insert(
    task({
      ...own,
      id: own.taskId,
      runId: ids.run,
      state: isOpen ? 'awaiting_human' : 'done',
      position: index,
    }),
  );
  stores.runs.insert(runOf({ id: ids.run, taskId: own.taskId }));
  stores.attempts.insert(
    attempt({ id: ids.attempt, runId: ids.run, taskId: own.taskId, state: 'succeeded' }),
  );
  const { number } = stores.items.insert(
    item({ ...base, state: isOpen ? 'open' : 'answered', raisedAt: now }),
  );
  stores.turns.insert(
    turn({
      ...base,
      id: turnId(index),
      attemptId: ids.attempt,
      item: number satisfies ItemNumber,
      state: 'settled',
      costMicroUsd: microUsd(2900),
      costBasis: 'reported',
      endedAt: now,
    }),
  );
  stores.launches.insert(
    launch({
      ...own,
      id: `lch_${index}` as never,
      turnId: turnId(index),
      state: 'ended',
      localDay: new Date(now).toISOString().slice(0, 10) as LocalDay,
    }),
  );
}

function addEntry(stores: SqliteStores, index: number, size: Size): void {
  const of = Math.floor((index / size.entries) * size.tasks);
  const kinds = ['harness.start', 'harness.result', 'item.raised', 'item.responded', 'task.changed'] as const;
  const kind = kinds[index % kinds.length] ?? 'task.changed';
  stores.ledger.append({
    kind: index % 1000 === 999 ? 'kill.engaged' : kind,
    projectId: projectId(of),
    project: `project ${of % PROJECTS}`,
    taskId: taskId(of),
    data: {
      costMicroUsd: 2900,
      costBasis: kind === 'harness.result' ? 'reported' : 'none',
      waitedMs: index,
      model: index % 7 === 0 ? 'opus' : 'sonnet',
    },
  });
}

function fill(stores: SqliteStores, clock: FakeClock, size: Size): void {
  for (let index = 0; index < PROJECTS; index += 1) {
    const id = projectId(index);
    stores.projects.insert(
      project({ id, name: `project ${index}`, facts: { ...project().facts, root: `/r/${index}` } }),
    );
  }
  const step = (DAYS * DAY_MS) / size.entries;
  const perTask = size.entries / size.tasks;
  for (let first = 0; first < size.entries; first += BATCH) {
    stores.transaction(() => {
      for (let index = first; index < Math.min(first + BATCH, size.entries); index += 1) {
        clock.advance(step);
        if (index % perTask === 0) addTask(stores, index / perTask, size, epochMs(Math.floor(clock.now())));
        addEntry(stores, index, size);
      }
    });
  }
  for (let first = 0; first < size.events; first += BATCH) {
    const of = Math.floor((first / size.events) * size.tasks);
    stores.events.append(
      Array.from({ length: Math.min(BATCH, size.events - first) }, (_, index) => ({
        taskId: taskId(of),
        turnId: turnId(of),
        seq: index,
        at: epochMs(first + index),
        event: { kind: 'assistant' as const, text: `event ${index} of a turn, as long as most are` },
      })),
      [],
    );
  }
}

/** Median of some runs, after one that warms caches; milliseconds. */
function median(times: number, work: () => unknown): number {
  work();
  const spans = Array.from({ length: times }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return spans.sort((a, b) => a - b)[Math.floor(times / 2)] ?? NaN;
}

interface Question {
  readonly what: string;
  /** Milliseconds. */
  readonly below: number;
  readonly ask: (stores: SqliteStores, size: Size, now: EpochMs) => unknown;
}

const QUESTIONS: readonly Question[] = [
  { what: 'inbox', below: 5, ask: ({ items }) => items.list({ states: ['open'] }) },
  { what: 'ledger page, newest', below: 20, ask: ({ ledger }) => ledger.page({ newest: true, limit: 100 }) },
  {
    what: 'ledger page, rare kind of a project',
    below: 20,
    ask: ({ ledger }) => ledger.page({ projectId: projectId(3), kind: 'kill.', newest: true, limit: 100 }),
  },
  {
    what: 'ledger page, since a moment',
    below: 20,
    ask: ({ ledger }, _size, now) =>
      ledger.page({ since: epochMs(now - 30 * DAY_MS), kind: 'harness.result', limit: 100 }),
  },
  {
    what: 'ledger of a task',
    below: 20,
    ask: ({ ledger }, size) => ledger.page({ taskId: taskId(size.tasks >> 1) }),
  },
  { what: 'totals by day', below: 50, ask: ({ totals }) => totals.totals('day', { limit: DAYS }) },
  { what: 'totals by project', below: 50, ask: ({ totals }) => totals.totals('project') },
  {
    what: 'turn events, a page of a task',
    below: 20,
    ask: ({ events }, size) => events.page(taskId(size.tasks >> 1), 0, 500),
  },
  {
    what: 'booked by a project this month',
    below: 5,
    ask: ({ turns }, _size, now) =>
      turns.booked({ projectIds: [projectId(1)], since: epochMs(now - 30 * DAY_MS) }),
  },
  {
    what: 'calls of a day',
    below: 5,
    ask: ({ launches, ledger }) => launches.callsOn(ledger.latestDay() as LocalDay, { agent: 'claude' }),
  },
  {
    what: 'queue of a project',
    below: 20,
    ask: ({ tasks }) => tasks.list({ projectId: projectId(1), states: ['awaiting_human', 'ready'] }),
  },
];

interface Measured {
  readonly size: Size;
  readonly start: number;
  readonly answers: readonly number[];
  readonly fillS: number;
  readonly bytes: number;
}

function measure(entries: number): Measured {
  using temp = makeTempFolder('bench-store');
  const size = sizeOf(entries);
  const clock = new FakeClock();
  const open = (): SqliteStores => openStore({ folder: temp.path, clock, ids: new TestIds() });
  const begun = performance.now();
  const filled = open();
  fill(filled, clock, size);
  filled.dispose();
  const fillS = (performance.now() - begun) / 1000;
  const start = median(5, () => {
    const opened = open();
    opened.items.list({ states: ['open'] });
    opened.launches.live();
    opened.dispose();
  });
  const stores = open();
  try {
    const answers = QUESTIONS.map(({ ask }) => median(15, () => ask(stores, size, clock.now())));
    return { size, start, answers, fillS, bytes: statSync(temp.join('signalbox.sqlite')).size };
  } finally {
    stores.dispose();
  }
}

const rounded = (value: number): number => Math.round(value * 1000) / 1000;
const growth = (values: readonly number[]): string =>
  `at ${values.length} sizes: ${values.map((value) => rounded(value)).join(' → ')}`;

function row(what: string, values: readonly number[], below: number, isBarSize: boolean): BenchRow {
  const value = values.at(-1) ?? NaN;
  return {
    bar: 'P5',
    what,
    value: rounded(value),
    unit: 'ms',
    limit: `< ${below} ms`,
    // A smaller store that is too slow has failed the bar already; one that is quick has not yet passed it.
    ok: value >= below ? false : isBarSize ? true : null,
    note: growth(values),
  };
}

/** Measures at a hundredth, a tenth and the whole of the largest size. */
export function benchStore(): Promise<BenchRow[]> {
  const asked = process.env['SIGNALBOX_BENCH_STORE'];
  const largest = asked === 'full' ? FULL : asked === undefined ? DEFAULT : Math.max(10_000, Number(asked));
  const measured = [largest / 100, largest / 10, largest].map((entries) => measure(Math.round(entries)));
  const isBarSize = largest >= FULL;
  const last = measured.at(-1);
  const rows = [
    row(
      'start to first answer, in a process that runs',
      measured.map(({ start }) => start),
      1000,
      isBarSize,
    ),
    ...QUESTIONS.map(({ what, below }, index) =>
      row(
        what,
        measured.map(({ answers }) => answers[index] ?? NaN),
        below,
        isBarSize,
      ),
    ),
    {
      bar: 'P5',
      what: 'filling the largest store',
      value: rounded(last?.fillS ?? NaN),
      unit: 's',
      limit: '-',
      ok: null,
      note: `${last?.size.entries} entries, ${last?.size.events} events, ${last?.size.tasks} tasks, ${Math.round((last?.bytes ?? 0) / 1e6)} MB`,
    },
  ];
  return Promise.resolve(rows);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const each of await benchStore()) {
    const verdict = each.ok === null ? ' ' : each.ok ? '✓' : '✗';
    process.stdout.write(
      `${verdict} ${each.what}: ${each.value} ${each.unit} (${each.limit}; ${each.note ?? ''})\n`,
    );
  }
}
