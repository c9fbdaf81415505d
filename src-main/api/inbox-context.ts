import type { InboxContextView } from '../../src-shared/api/inbox-context.ts';
import { isAppError } from '../../src-shared/errors.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Run, Task, Turn } from '../../src-shared/model/task.ts';
import { usdFromMicroUsd } from '../../src-shared/money.ts';
import { isoTime, secondsBetween } from '../../src-shared/time.ts';
import { soFar } from '../core/inbox/so-far.ts';
import type { Stores } from '../core/ports/stores.ts';
import { bookedMoney } from '../core/report/booked-money.ts';
import { diffStat, type FileStat } from '../core/workspace/diff-stat.ts';
import type { ApiServices } from './context.ts';

/** Characters that tell sessions apart on a screen. */
const SHORT_SESSION = 8;

/** The turn that led to an item: the newest of its run that had begun when it was raised. */
function turnOf(stores: Stores, item: Item, task: Task): Turn | null {
  const before = stores.turns
    .ofTask(task.id)
    .filter((turn) => turn.startedAt <= item.raisedAt && (item.runId === null || turn.runId === item.runId));
  return before.at(-1) ?? null;
}

const questionsBefore = (stores: Stores, item: Item, task: Task): number =>
  stores.items
    .list({ taskId: task.id, kinds: ['specify'] })
    .filter((each) => each.runId === item.runId && each.number < item.number).length;

/** Denied tools of each turn, as the results in the ledger told. */
function denialsOf(stores: Stores, task: Task): ReadonlyMap<string, number> {
  const entries = stores.ledger.page({ taskId: task.id, kind: 'harness.result' });
  return new Map(
    entries.map(({ data }) => [
      String(data['turn']),
      typeof data['denials'] === 'number' ? data['denials'] : 0,
    ]),
  );
}

/** Null when the work cannot be looked at: no tree yet, or not any more. */
async function statsOf(services: ApiServices, task: Task): Promise<readonly FileStat[] | null> {
  if (services.stores.trees.get(task.id) === null) return null;
  try {
    return diffStat(await services.core.tasks.diff(task.id));
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

function changesOf(stats: readonly FileStat[] | null): InboxContextView['facts']['changes'] {
  if (stats === null) return null;
  const sum = (of: (file: FileStat) => number): number => stats.reduce((total, file) => total + of(file), 0);
  return { files: stats.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

function testsOf(stores: Stores, item: Item, task: Task): InboxContextView['facts']['tests'] {
  const offered = item.offer?.testRunId ?? null;
  const run =
    offered !== null
      ? stores.testRuns.get(offered)
      : stores.testRuns
          .ofTask(task.id)
          .filter((each) => each.purpose === 'test' && each.startedAt <= item.raisedAt)
          .at(-1);
  if (run === undefined || run === null) return null;
  return {
    run: run.id,
    state: run.state,
    exitCode: run.exitCode,
    durationS: run.endedAt === null ? null : secondsBetween(run.startedAt, run.endedAt),
  };
}

function attemptOf(
  stores: Stores,
  turn: Turn | null,
  run: Run | null,
  most: number,
): InboxContextView['facts']['attempt'] {
  const attempt = turn === null ? null : stores.attempts.get(turn.attemptId);
  return attempt === null ? null : { number: attempt.number, counted: run?.countedAttempts ?? 0, of: most };
}

const NOTHING: InboxContextView['facts'] = {
  question: null,
  attempt: null,
  sessionId: null,
  session: null,
  branch: null,
  baseBranch: null,
  merge: null,
  workedS: 0,
  cost: { turnUsd: 0, taskUsd: 0, assumedUsd: 0, perCallUsd: null },
  changes: null,
  tests: null,
  denied: 0,
};

/** Everything that stands beside an item but the diff itself. */
export async function inboxContextView(services: ApiServices, item: Item): Promise<InboxContextView> {
  const { stores, core, clock } = services;
  const task = item.taskId === null ? null : stores.tasks.get(item.taskId);
  if (task === null) return { item: item.number, asked: null, soFar: [], turnId: null, facts: NOTHING };
  const project = stores.projects.get(task.projectId);
  const caps = project === null ? null : core.projects.figures(project.id).caps;
  const run = item.runId === null ? null : stores.runs.get(item.runId);
  const turn = turnOf(stores, item, task);
  const turns = stores.turns.ofTask(task.id);
  const tree = stores.trees.get(task.id);
  const denials = denialsOf(stores, task);
  const stats = await statsOf(services, task);
  const from = turn === null ? null : stores.events.firstSince(task.id, turn.startedAt);
  const money = bookedMoney(turns);
  /** Which question it is; of any other item, how many were asked before. */
  const asked = item.cycle ?? questionsBefore(stores, item, task);
  const ofRun = turns.filter((each) => each.runId === item.runId);
  const lines =
    turn === null
      ? []
      : soFar({
          turn,
          uses: from === null ? [] : stores.events.toolUses(task.id, turn.id, from),
          tree: tree?.path ?? null,
          stats,
        });
  return {
    item: item.number,
    asked: { title: task.title, description: task.description, at: isoTime(task.createdAt) },
    soFar: lines.map((line) => {
      const at = isoTime(line.at);
      switch (line.kind) {
        case 'read':
          return { ...line, at, folders: [...line.folders] };
        case 'changed':
          return {
            ...line,
            at,
            paths: line.paths.map((path) => ({ ...path })),
            isCommitted: item.offer?.commit !== undefined && item.offer.commit !== null,
          };
        case 'stopped':
          return { ...line, at };
      }
    }),
    turnId: turn?.id ?? null,
    facts: {
      question:
        asked === 0 || caps === null
          ? null
          : { number: asked, of: caps.maxQuestions.value + (run?.extraQuestions ?? 0) },
      attempt: attemptOf(stores, turn, run, caps?.maxAttempts.value ?? 0),
      sessionId: turn?.sessionId ?? null,
      session: turn?.sessionId.slice(0, SHORT_SESSION) ?? null,
      branch: tree?.branch ?? null,
      baseBranch: project?.baseBranch ?? null,
      merge: project?.settings.merge ?? null,
      workedS: turns.reduce(
        (sum, each) => sum + secondsBetween(each.startedAt, each.endedAt ?? clock.now()),
        0,
      ),
      cost: {
        turnUsd: turn === null ? 0 : usdFromMicroUsd(turn.costMicroUsd),
        taskUsd: usdFromMicroUsd(money.costMicroUsd),
        assumedUsd: usdFromMicroUsd(money.assumedMicroUsd),
        perCallUsd: caps === null ? null : usdFromMicroUsd(caps.perCallMicroUsd.value),
      },
      changes: changesOf(stats),
      tests: testsOf(stores, item, task),
      denied: ofRun.reduce((sum, each) => sum + (denials.get(each.id) ?? 0), 0),
    },
  };
}

/** Items that a list shows as just closed: responded to today, or with a response that has not reached the agent. */
export function closedToday({ stores, clock }: Pick<ApiServices, 'stores' | 'clock'>): readonly Item[] {
  const today = clock.localDay(clock.now());
  // A day is 25 hours at most: what is older than that cannot be today's.
  const since = (clock.nextMidnight(clock.now()) - 25 * 3600 * 1000) as Item['raisedAt'];
  const numbers = new Set<Item['number']>(stores.items.stored().map((item) => item.number));
  for (const kind of ['item.responded', 'item.closed']) {
    for (const entry of stores.ledger.page({ kind, since })) {
      if (entry.localDay === today && entry.item !== null) numbers.add(entry.item);
    }
  }
  return [...numbers]
    .sort((a, b) => a - b)
    .flatMap((number) => stores.items.get(number) ?? [])
    .filter((item) => item.state !== 'open');
}
