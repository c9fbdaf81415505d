import type { ChangeView, HubStatusView } from '../../../src-shared/api/hub.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { millis, type EpochMs } from '../../../src-shared/time.ts';
import type { NotifierHost } from '../../../src-shared/model/notice-test.ts';
import type { HubCalls } from '../ports/hub-calls.ts';
import type { Notifier } from '../ports/notifier.ts';
import type { Clock, Disposable, HashText, Log } from '../ports/world.ts';
import { createKillNotice } from './kill-notice.ts';
import { createNoticeActs } from './notice-acts.ts';
import { createNoticeDesk } from './notice-desk.ts';
import { createNoticeRecords, type NoticeRecordStore, type NoticeTarget } from './notice-records.ts';
import { bundleText, finishedText, kindOfItem, wordsOf, type NoticeText } from './notice-text.ts';
import { MOST_SINGLE } from './plan-notices.ts';
import type { NotifyPreferences } from './preferences.ts';
import { quietUntil } from './quiet-hours.ts';
import { createTestResponder } from './test-responder.ts';
import type { NoticeWords } from './notice-words.ts';
import { writingOf, type Writing } from './words.ts';

/** Changes that come together are looked at together, so that many items become one notification. */
const GATHER = millis(400);

export interface NotifyState {
  /** Until when it is quiet; null when it is not. */
  readonly quietUntil: EpochMs | null;
  /** Items that wait without a notification because it is quiet. */
  readonly withheld: number;
  /** Why nothing is shown; null while it works. */
  readonly problem: string | null;
}

export interface NotifyServiceDeps {
  /** Acts as `notification`: an answer from there is not undone, it goes out at once. */
  readonly hub: HubCalls;
  readonly notifier: Notifier;
  readonly host: NotifierHost;
  /** The system's, as `de-AT`; empty where it says none. */
  readonly locale: string;
  readonly records: NoticeRecordStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly hash: HashText;
  newKey(): string;
  preferences(): Promise<NotifyPreferences>;
  open(target: NoticeTarget): void;
  /** Whether a person looks at that very item now. */
  isShown(item: number): boolean;
  onState(state: NotifyState): void;
}

export interface NotifyService {
  /** Follows the hub from now on; what waits already is not told again. */
  start(): void;
  /** The computer woke up: times are compared anew. */
  wake(): void;
  /** One of the host's own, in the person's language. @returns whether it could be shown */
  tell(textOf: (words: NoticeWords) => NoticeText): Promise<boolean>;
  readonly state: NotifyState;
  dispose(): void;
}

/** Raises and withdraws notifications by what the hub says has changed. */
export function createNotifyService(deps: NotifyServiceDeps): NotifyService {
  const { hub, notifier, clock } = deps;
  const records = createNoticeRecords(deps.records, () => clock.now());
  let state: NotifyState = { quietUntil: null, withheld: 0, problem: null };
  /** In the language that was preferred when it was last looked at. */
  let writing: Writing = writingOf('system', deps.locale);
  const desk = createNoticeDesk({
    ...deps,
    records,
    writing: () => writing,
    onProblem: (problem) => setState({ ...state, problem }),
  });
  const act = createNoticeActs({ ...deps, desk, records, writing: () => writing });
  const killNotice = createKillNotice({ hub, desk, clock, writing: () => writing }, () =>
    note({ kind: 'hub' }),
  );

  const startedAt = clock.now();
  const owned: Disposable[] = [];
  let isDisposed = false;
  const changed = { items: new Set<number>(), tasks: new Set<string>(), isHub: false, isReset: false };
  let isLooking = false;
  let gathering: Disposable | null = null;
  let quietEnd: Disposable | null = null;
  const withheld = new Set<number>();
  const announced = new Set<number>();
  const finished = new Set<string>();

  function setState(next: NotifyState): void {
    const isSame =
      next.quietUntil === state.quietUntil &&
      next.withheld === state.withheld &&
      next.problem === state.problem;
    state = next;
    if (!isSame) deps.onState(state);
  }

  function note(change: ChangeView): void {
    if (change.kind === 'item') changed.items.add(change.number);
    else if (change.kind === 'task') changed.tasks.add(change.taskId);
    else if (change.kind === 'hub') changed.isHub = true;
    else if (change.kind === 'reset') {
      changed.isReset = true;
      changed.isHub = true;
    } else return;
    gather();
  }

  function gather(): void {
    if (isDisposed || isLooking || gathering !== null) return;
    gathering = clock.after(GATHER, () => {
      gathering = null;
      isLooking = true;
      void look()
        .catch((error: unknown) => deps.log.error('notifications could not follow', { error: String(error) }))
        .finally(() => {
          isLooking = false;
          if (changed.items.size > 0 || changed.tasks.size > 0 || changed.isHub || changed.isReset) gather();
        });
    });
  }

  async function preferred(): Promise<NotifyPreferences> {
    const preferences = await deps.preferences();
    writing = writingOf(preferences.language, deps.locale);
    return preferences;
  }

  /** As preferred now; as it was while nobody can be asked. */
  async function writingNow(): Promise<Writing> {
    // Without a hub that answers the question would wait for the next one.
    const late = Promise.withResolvers<void>();
    const timer = clock.after(millis(1000), () => late.resolve());
    await Promise.race([preferred().catch(() => undefined), late.promise]);
    timer.dispose();
    return writing;
  }

  async function look(): Promise<void> {
    const batch = {
      items: [...changed.items],
      tasks: [...changed.tasks],
      isHub: changed.isHub,
      isReset: changed.isReset,
    };
    changed.items.clear();
    changed.tasks.clear();
    changed.isHub = changed.isReset = false;
    const preferences = await preferred();
    const quiet = quietUntil(preferences.quietHours, clock.now());
    if (batch.isHub) await killNotice.look(preferences.kinds.kill);
    await lookAtItems(await itemsOf(batch), preferences, quiet);
    await lookAtTasks(batch.tasks, preferences, quiet);
    waitForQuietEnd(quiet);
    setState({ ...state, quietUntil: quiet, withheld: withheld.size });
  }

  /** After events were missed: all that is open, and what we hold a notification of, which may be closed. */
  async function itemsOf(batch: {
    readonly items: readonly number[];
    readonly isReset: boolean;
  }): Promise<readonly ItemView[]> {
    const open = batch.isReset ? await hub.query('inbox.list', { all: false }) : [];
    const known = new Set(open.map((item) => item.number));
    const wanted = new Set([...batch.items, ...(batch.isReset ? [...desk.standing(), ...withheld] : [])]);
    const others = await Promise.all(
      [...wanted]
        .filter((number) => !known.has(number))
        .map((item) => orNull(hub.query('inbox.show', { item }))),
    );
    return [...open, ...others.filter((item) => item !== null)];
  }

  async function lookAtItems(
    items: readonly ItemView[],
    preferences: NotifyPreferences,
    quiet: EpochMs | null,
  ): Promise<void> {
    const fresh: ItemView[] = [];
    for (const item of items) {
      const { number } = item;
      if (item.state !== 'open') {
        withheld.delete(number);
        await desk.close(number);
        continue;
      }
      if (announced.has(number) && !withheld.has(number)) continue;
      announced.add(number);
      const isOld = Date.parse(item.raisedAt) < startedAt;
      if (isOld || !preferences.kinds[kindOfItem(item)] || deps.isShown(number)) withheld.delete(number);
      else if (quiet !== null) withheld.add(number);
      else {
        withheld.delete(number);
        fresh.push(item);
      }
    }
    if (fresh.length === 0) return;
    const holds = fresh.some((item) => kindOfItem(item) === 'limit') ? await holdsNow() : [];
    await desk.raise(fresh, (item) => holds.find((hold) => hold.item === item)?.until ?? null);
  }

  const holdsNow = async (): Promise<HubStatusView['holds']> =>
    (await hub.query('hub.status', undefined)).holds;

  async function lookAtTasks(
    ids: readonly string[],
    preferences: NotifyPreferences,
    quiet: EpochMs | null,
  ): Promise<void> {
    if (!preferences.kinds.finished) return;
    const views = await Promise.all(
      ids.filter((id) => !finished.has(id)).map((task) => orNull(hub.query('task.show', { task }))),
    );
    const done = views.filter((task): task is TaskView => task?.state === 'done');
    for (const task of done) finished.add(task.id);
    // Nobody waits for them: in quiet hours they are not told later either.
    const fresh = quiet === null ? done.filter((task) => Date.parse(task.updatedAt) >= startedAt) : [];
    for (const project of new Set(fresh.map((task) => task.project))) {
      const tasks = fresh.filter((task) => task.project === project);
      if (tasks.length > MOST_SINGLE) {
        const kinds = tasks.map(() => 'finished' as const);
        await desk.tell({ ...bundleText(project, kinds, writing), target: { kind: 'inbox' } });
      } else {
        for (const task of tasks) {
          await desk.tell({ ...finishedText(task, writing), target: { kind: 'task', number: task.number } });
        }
      }
    }
  }

  function waitForQuietEnd(quiet: EpochMs | null): void {
    quietEnd?.dispose();
    quietEnd =
      quiet === null
        ? null
        : clock.after(millis(Math.max(1000, quiet - clock.now())), () => {
            for (const item of withheld) note({ kind: 'item', number: item });
            note({ kind: 'hub' });
          });
  }

  /** What is gone meanwhile is no news. */
  async function orNull<T>(call: Promise<T>): Promise<T | null> {
    try {
      return await call;
    } catch (error) {
      if (isAppError(error, 'not-found')) return null;
      throw error;
    }
  }

  return {
    get state() {
      return state;
    },
    start: () => {
      const tests = createTestResponder({ ...deps, desk, writing: writingNow });
      owned.push(
        tests,
        notifier.onAct((each) => {
          if (tests.heard(each)) return;
          writingNow()
            .then(() => act(each))
            .catch((error: unknown) =>
              deps.log.error('an act on a notification broke', { error: String(error) }),
            );
        }),
        hub.subscribe('hub.changes', undefined, {
          onEvent: note,
          onStart: () => note({ kind: 'reset' }),
        }),
      );
    },
    wake: () => note({ kind: 'reset' }),
    tell: async (textOf) => {
      const text = textOf(wordsOf(await writingNow()));
      return (await desk.tell({ ...text, target: { kind: 'inbox' } })) !== null;
    },
    dispose: () => {
      isDisposed = true;
      for (const each of owned) each.dispose();
      gathering?.dispose();
      quietEnd?.dispose();
      killNotice.dispose();
      notifier.dispose();
    },
  };
}
