/** The board: what every project does, has queued and waits for, read once for all projects. */
import type {
  BoardProjectView,
  BoardQueueView,
  BoardSlotView,
  BoardView,
  BoardWaitingView,
} from '../../src-shared/api/board.ts';
import { DEFAULT_AGENT } from '../../src-shared/model/agent.ts';
import type { Item } from '../../src-shared/model/item.ts';
import type { Project } from '../../src-shared/model/project.ts';
import type { Launch, Task, TaskState, Turn } from '../../src-shared/model/task.ts';
import { isoTime } from '../../src-shared/time.ts';
import type { Stores, TestRun } from '../core/ports/stores.ts';
import { isTelling } from '../core/timeline/describe-event.ts';
import type { ApiServices } from './context.ts';
import { turnEventView } from './timeline-views.ts';
import { projectView } from './views.ts';

/** Tasks of a queue that are listed; the rest is a number. */
const LISTED = 100;
/** How far back the live line is looked for: behind it lie only figures and results. */
const LOOK_BACK = 40;
const WAITING: readonly TaskState[] = ['awaiting_human', 'awaiting_approval', 'merging', 'parked'];

/** What runs now, over all projects. */
interface Now {
  readonly turns: ReadonlyMap<string, Turn>;
  readonly testRuns: ReadonlyMap<string, TestRun>;
  readonly launches: readonly Launch[];
  readonly openItems: readonly Item[];
}

const readNow = (stores: Stores): Now => ({
  turns: new Map(stores.turns.running().map((turn) => [turn.taskId, turn])),
  testRuns: new Map(stores.testRuns.running().map((run) => [run.taskId, run])),
  launches: stores.launches.live(),
  openItems: stores.items.list({ states: ['open'] }),
});

const lineOf = (task: Task): Pick<Task, 'id' | 'number' | 'title' | 'state'> => ({
  id: task.id,
  number: task.number,
  title: task.title,
  state: task.state,
});

function phaseOf(
  task: Task,
  turn: Turn | undefined,
  run: TestRun | undefined,
): Pick<BoardSlotView, 'phase' | 'since'> {
  if (task.state !== 'running' && task.state !== 'testing') {
    return { phase: 'ending', since: isoTime(task.updatedAt) };
  }
  if (run !== undefined) {
    return { phase: run.purpose === 'setup' ? 'setup' : 'tests', since: isoTime(run.startedAt) };
  }
  if (turn !== undefined && task.state === 'running')
    return { phase: 'turn', since: isoTime(turn.startedAt) };
  return { phase: 'preparing', since: isoTime(task.updatedAt) };
}

function lastLine(stores: Stores, turn: Turn | undefined): BoardSlotView['last'] {
  if (turn === undefined) return null;
  const newest = stores.events.pageBefore(turn.taskId, null, LOOK_BACK);
  const found = newest.findLast((each) => each.turnId === turn.id && isTelling(each.event));
  return found === undefined ? null : turnEventView(found);
}

function slotView(stores: Stores, project: Project, task: Task, now: Now): BoardSlotView {
  const turn = now.turns.get(task.id);
  const name = turn?.agent ?? project.settings.agent;
  const agent = stores.agents.get(name);
  const attempt = turn === undefined ? null : stores.attempts.get(turn.attemptId);
  return {
    ...lineOf(task),
    ...phaseOf(task, turn, now.testRuns.get(task.id)),
    agent: name,
    agentName: agent?.displayName ?? name,
    model: attempt?.model ?? project.settings.model ?? agent?.model ?? DEFAULT_AGENT.model,
    sessionId: turn?.sessionId ?? null,
    attempt: attempt?.number ?? null,
    last: lastLine(stores, turn),
  };
}

function slotsOf(stores: Stores, project: Project, now: Now): readonly BoardSlotView[] {
  const tasks = stores.tasks.list({ projectId: project.id, states: ['running', 'testing'] });
  const holding = new Map(tasks.map((task) => [task.id, task]));
  for (const { taskId, projectId } of now.launches) {
    const task = projectId !== project.id || holding.has(taskId) ? null : stores.tasks.get(taskId);
    if (task !== null) holding.set(taskId, task);
  }
  return [...holding.values()].map((task) => slotView(stores, project, task, now));
}

function queueView(stores: Stores, task: Task): BoardQueueView {
  const run = task.runId === null ? null : stores.runs.get(task.runId);
  const next = run === null ? 'start' : (run.nextTurn?.kind ?? run.step);
  return { ...lineOf(task), readySince: isoTime(task.updatedAt), next };
}

/** As dispatch takes them: what goes on with something comes before fresh starts. */
function queueOf(stores: Stores, project: Project): readonly BoardQueueView[] {
  const queue = stores.tasks
    .list({ projectId: project.id, states: ['ready'], limit: LISTED })
    .map((task) => queueView(stores, task));
  const isFresh = (view: BoardQueueView): boolean => view.next === 'start';
  return [...queue.filter((view) => !isFresh(view)), ...queue.filter(isFresh)];
}

const waitingView = (task: Task, openItems: readonly Item[]): BoardWaitingView => ({
  ...lineOf(task),
  since: isoTime(task.updatedAt),
  reason: task.endedReason,
  items: openItems.filter((item) => item.taskId === task.id).map((item) => item.number),
});

function boardProjectView(services: ApiServices, project: Project, now: Now): BoardProjectView {
  const { stores, core } = services;
  const projectId = project.id;
  const openItems = now.openItems.filter((item) => item.projectId === projectId);
  return {
    project: projectView(stores, project, core.projects.figures(projectId)),
    slots: [...slotsOf(stores, project, now)],
    queue: [...queueOf(stores, project)],
    queued: stores.tasks.count({ projectId, states: ['ready'] }),
    waiting: stores.tasks
      .list({ projectId, states: WAITING, limit: LISTED })
      .map((task) => waitingView(task, openItems)),
    openItems: openItems.length,
    drafts: stores.tasks.count({ projectId, states: ['draft'] }),
  };
}

export function boardView(services: ApiServices): BoardView {
  const { stores, clock } = services;
  const now = readNow(stores);
  const projects = stores.projects.list().map((project) => boardProjectView(services, project, now));
  const sum = (of: (each: BoardProjectView) => number): number =>
    projects.reduce((total, each) => total + of(each), 0);
  return {
    at: isoTime(clock.now()),
    projects,
    slots: sum(({ project }) => project.slots),
    slotsInUse: sum(({ project }) => project.slotsInUse),
    queued: sum(({ queued }) => queued),
  };
}
