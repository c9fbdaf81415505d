import { MOST_SLOTS } from '../../../src-shared/api/project.ts';
import type { HubSummaryView } from '../../../src-shared/api/hub-summary.ts';
import type { EpochMs } from '../../../src-shared/time.ts';
import { clipped, plainLine } from '../../core/notify/plain-text.ts';
import type { Writing } from '../../core/notify/words.ts';
import type { HubState } from './hub-process.ts';
import { sentenceIn, TRAY_WORDS, type TrayWords } from './tray-words.ts';
import type { UpdateState, UpdateWords } from './updates.ts';

/** Everything that the tray shows, already known. */
export interface TrayState {
  /** Null while no hub answers. */
  readonly summary: HubSummaryView | null;
  /** Why no hub answers, or that it is another one; null when all is as usual. */
  readonly hub:
    | { readonly kind: 'ours' | 'starting' }
    /** It runs and does not answer; only our own can be ended from here. */
    | { readonly kind: 'silent'; readonly isOurs: boolean }
    /** Another process owns the data folder and we are its client. */
    | { readonly kind: 'other'; readonly pid: number; readonly host: string }
    /** It ended too often, or the other one is gone. */
    | { readonly kind: 'gone'; readonly canStart: boolean };
  /** The kill file is there, whether or not a hub has seen it. */
  readonly isKillFileThere: boolean;
  readonly quiet: { readonly until: EpochMs; readonly withheld: number } | null;
  /** Why notifications are not shown; null while they are. */
  readonly problem: string | null;
  /** Null where the package has no server for updates. */
  readonly update: UpdateState | null;
  readonly writing: Writing;
}

export type TrayAct =
  | { readonly kind: 'open'; readonly page: 'inbox' | 'ledger' | 'settings' }
  | { readonly kind: 'open-item'; readonly item: number }
  | { readonly kind: 'enable'; readonly project: string; readonly isEnabled: boolean }
  | { readonly kind: 'slots'; readonly project: string; readonly slots: number }
  | { readonly kind: 'open-folder'; readonly project: string }
  | { readonly kind: 'kill' }
  | { readonly kind: 'release' }
  | { readonly kind: 'start-hub' }
  | { readonly kind: 'restart-hub' }
  | { readonly kind: 'update' }
  | { readonly kind: 'quit' };

export type TrayItem =
  | { readonly kind: 'separator' }
  /** Only below the top level: macOS knows no disabled items there. */
  | { readonly kind: 'text'; readonly label: string }
  | { readonly kind: 'action'; readonly id: string; readonly label: string; readonly act: TrayAct }
  | {
      readonly kind: 'check' | 'radio';
      readonly id: string;
      readonly label: string;
      readonly isChecked: boolean;
      readonly act: TrayAct;
    }
  | {
      readonly kind: 'menu';
      readonly id: string;
      readonly label: string;
      readonly items: readonly TrayItem[];
    };

/** Each has an outline of its own, so that none relies on colour. */
export type TrayIcon = 'idle' | 'running' | 'waiting' | 'killed';

export interface TrayView {
  readonly icon: TrayIcon;
  readonly tooltip: string;
  /** Beside the icon where the system can (macOS): how many wait; empty for none. */
  readonly count: string;
  readonly items: readonly TrayItem[];
}

const LONGEST_LABEL = 60;
const MOST_ITEMS = 5;

const wordsOf = ({ writing }: TrayState): TrayWords => TRAY_WORDS[writing.language];

/** One line, and `&` as itself: alone it would underline the next letter. */
const label = (text: string): string => clipped(text, LONGEST_LABEL).replaceAll('&', '&&');
const foreign = (text: string): string => plainLine(text, LONGEST_LABEL);

const SEPARATOR: TrayItem = { kind: 'separator' };
const action = (id: string, text: string, act: TrayAct): TrayItem => ({
  kind: 'action',
  id,
  label: label(text),
  act,
});

function timeOf(at: EpochMs, { locale, timeZone }: TrayState['writing']): string {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(at);
}

/** Killed is over all, waiting over running (DESIGN, 5). */
function iconOf({ summary, isKillFileThere }: TrayState): TrayIcon {
  if (isKillFileThere || (summary !== null && summary.killed !== null)) return 'killed';
  if (summary === null) return 'idle';
  if (summary.waiting > 0) return 'waiting';
  return summary.running > 0 ? 'running' : 'idle';
}

/** @param isSilent it lets questions wait */
export function trayHub(state: HubState, isSilent: boolean): TrayState['hub'] {
  if (state.kind === 'gone') return { kind: 'gone', canStart: true };
  if (isSilent) return { kind: 'silent', isOurs: state.kind === 'ours' };
  return state.kind === 'other' ? { kind: 'other', pid: state.pid, host: state.host } : { kind: state.kind };
}

const hubTrouble = ({ kind }: TrayState['hub'], words: TrayWords): string => {
  if (kind === 'gone') return words.hubEnded;
  return kind === 'silent' ? words.hubSilent : words.hubStarting;
};

function statusLine(state: TrayState): string {
  const { summary, hub } = state;
  const words = wordsOf(state);
  if (summary === null || hub.kind === 'gone' || hub.kind === 'silent') {
    const why = hubTrouble(hub, words);
    return state.isKillFileThere ? `${words.stopped}. ${why}` : why;
  }
  if (summary.killed !== null) {
    const { length } = summary.survivors;
    return length > 0 ? words.killedAlive(length) : words.stopped;
  }
  const paused = summary.paused ? words.paused : '';
  const [hold] = summary.holds;
  const held = hold === undefined ? '' : words.onHold(words.holds?.[hold.kind] ?? foreign(hold.reason));
  return `${words.status(summary.running, summary.waiting)}${paused}${held}`;
}

function noticeLines(state: TrayState): readonly TrayItem[] {
  const lines: TrayItem[] = [];
  const { quiet, hub } = state;
  const words = wordsOf(state);
  if (hub.kind === 'other') {
    lines.push(
      action('other-hub', words.otherHub(hub.host, hub.pid), {
        kind: 'open',
        page: 'inbox',
      }),
    );
  }
  if (hub.kind === 'gone' && hub.canStart) {
    lines.push(action('start-hub', words.startHub, { kind: 'start-hub' }));
  }
  if (hub.kind === 'silent' && hub.isOurs) {
    lines.push(action('restart-hub', words.restartHub, { kind: 'restart-hub' }));
  }
  if (quiet !== null) {
    const text = words.quiet(timeOf(quiet.until, state.writing), quiet.withheld);
    lines.push(action('quiet', text, { kind: 'open', page: 'settings' }));
  }
  if (state.problem !== null) {
    lines.push(action('problem', words.notShown, { kind: 'open', page: 'settings' }));
  }
  return lines;
}

function waitingItems(summary: HubSummaryView, words: TrayWords): readonly TrayItem[] {
  const newest = summary.newest.slice(0, MOST_ITEMS).map((item) => {
    const where = item.project === null ? '' : ` (${foreign(item.project)})`;
    const head = `${words.kinds[item.kind]} #${item.number}: `;
    const room = Math.max(10, LONGEST_LABEL - head.length - where.length);
    return action(`item-${item.number}`, `${head}${plainLine(item.title, room)}${where}`, {
      kind: 'open-item',
      item: item.number,
    });
  });
  const more = summary.waiting - newest.length;
  return more > 0 && newest.length > 0
    ? [...newest, action('more-items', words.moreItems(more), { kind: 'open', page: 'inbox' })]
    : newest;
}

function projectMenu(project: HubSummaryView['projects'][number], words: TrayWords): TrayItem {
  const { id } = project;
  const state = project.enabled ? words.slotsInUse(project.inUse, project.slots) : words.off;
  const slots = Array.from({ length: MOST_SLOTS + 1 }, (_unused, count): TrayItem => ({
    kind: 'radio',
    id: `slots-${id}-${count}`,
    label: words.slots(count),
    isChecked: project.slots === count,
    act: { kind: 'slots', project: id, slots: count },
  }));
  return {
    kind: 'menu',
    id: `project-${id}`,
    label: label(foreign(project.name)),
    items: [
      {
        kind: 'text',
        label: label(
          project.hold === null ? state : (sentenceIn(words, project.hold) ?? foreign(project.hold)),
        ),
      },
      {
        kind: 'check',
        id: `enabled-${id}`,
        label: words.enabled,
        isChecked: project.enabled,
        act: { kind: 'enable', project: id, isEnabled: !project.enabled },
      },
      SEPARATOR,
      ...slots,
      SEPARATOR,
      action(`folder-${id}`, words.openFolder, { kind: 'open-folder', project: id }),
    ],
  };
}

function updateText(update: UpdateState, words: UpdateWords): string {
  switch (update.kind) {
    case 'idle':
      return words.check;
    case 'checking':
      return words.checking;
    case 'loading':
      return words.loading(update.version, update.percent);
    case 'ready':
      return words.install(update.version);
  }
}

const updateItems = ({ update }: TrayState, words: TrayWords): readonly TrayItem[] =>
  update === null ? [] : [action('update', updateText(update, words.updates), { kind: 'update' })];

/** Groups with separators between those that have something. */
const grouped = (...groups: readonly (readonly TrayItem[])[]): readonly TrayItem[] =>
  groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [SEPARATOR, ...group]));

function tooltipOf(state: TrayState): string {
  const { summary } = state;
  if (summary === null || summary.killed !== null) return `Signalbox: ${statusLine(state)}`;
  return `Signalbox: ${wordsOf(state).status(summary.running, summary.waiting)}`;
}

/** The whole tray from what is known (70-desktop): the icon's state, its words, and the menu. */
export function trayMenu(state: TrayState): TrayView {
  const { summary } = state;
  const words = wordsOf(state);
  const isKilled = summary !== null && summary.killed !== null;
  const kill: TrayItem = isKilled
    ? action('release', words.release, { kind: 'release' })
    : action('kill', words.kill, { kind: 'kill' });
  return {
    icon: iconOf(state),
    tooltip: tooltipOf(state),
    count: summary === null || summary.waiting === 0 ? '' : String(summary.waiting),
    items: grouped(
      [action('status', statusLine(state), { kind: 'open', page: 'inbox' }), ...noticeLines(state)],
      summary === null ? [] : waitingItems(summary, words),
      summary === null ? [] : summary.projects.map((project) => projectMenu(project, words)),
      [kill],
      [
        action('ledger', words.ledger, { kind: 'open', page: 'ledger' }),
        action('settings', words.settings, { kind: 'open', page: 'settings' }),
        ...updateItems(state, words),
        action('quit', words.quit, { kind: 'quit' }),
      ],
    ),
  };
}
