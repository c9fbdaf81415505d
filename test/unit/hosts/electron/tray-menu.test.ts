import { describe, expect, test } from 'vitest';
import type { HubSummaryView } from '../../../../src-shared/api/hub-summary.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { trayMenu, type TrayItem, type TrayState } from '../../../../src-main/hosts/electron/tray-menu.ts';
import { TRAY_WORDS } from '../../../../src-main/hosts/electron/tray-words.ts';

const project = {
  id: 'prj_1',
  name: 'invoice-service',
  path: '/srv/invoice-service',
  enabled: true,
  paused: false,
  slots: 3,
  inUse: 2,
  waiting: 1,
  hold: null,
};
const SUMMARY = {
  killed: null,
  survivors: [],
  paused: false,
  holds: [],
  running: 0,
  waiting: 0,
  projects: [],
  newest: [],
} as unknown as HubSummaryView;

const stateOf = (over: Partial<HubSummaryView> | null, rest: Partial<TrayState> = {}): TrayState => ({
  summary: over === null ? null : { ...SUMMARY, ...over },
  hub: { kind: 'ours' },
  isKillFileThere: false,
  quiet: null,
  problem: null,
  update: null,
  writing: { language: 'en', locale: 'en-GB', timeZone: 'UTC' },
  ...rest,
});
const killed = { since: '2026-03-02T09:00:00.000Z', reason: '', by: 'ada' };
const anItem = (number: number, title = `Title ${number}`, owner: string | null = 'invoice-service') => ({
  number,
  kind: 'specify' as const,
  title,
  project: owner,
  raisedAt: '2026-03-02T09:00:00.000Z',
});

/** As a person would read it: separators as lines, marks for what is chosen. */
const lines = (items: readonly TrayItem[]): readonly string[] =>
  items.map((item) => {
    if (item.kind === 'separator') return '---';
    if (item.kind === 'check' || item.kind === 'radio') return `${item.isChecked ? '*' : ' '} ${item.label}`;
    return item.kind === 'menu' ? `${item.label} >` : item.label;
  });

describe('the menu of the tray', () => {
  test('offers updates only where the package has a server for them, and says how far one is', () => {
    const offered = (update: TrayState['update']) =>
      lines(trayMenu(stateOf({}, { update })).items).filter((line) => /update|version/i.test(line));
    expect(offered(null)).toEqual([]);
    expect(offered({ kind: 'idle' })).toEqual(['Check for updates…']);
    expect(offered({ kind: 'checking' })).toEqual(['Checking for updates…']);
    expect(offered({ kind: 'loading', version: '2.0.0', percent: 42 })).toEqual([
      'Fetching version 2.0.0: 42 %',
    ]);
    expect(offered({ kind: 'ready', version: '2.0.0' })).toEqual(['Install version 2.0.0…']);
  });

  test('has a status line, waiting items, projects, the kill switch and the pages', () => {
    const view = trayMenu(
      stateOf({ running: 4, waiting: 7, projects: [project], newest: [anItem(52, 'Round totals')] }),
    );
    expect([lines(view.items), view.icon, view.count, view.tooltip]).toEqual([
      [
        '4 running, 7 waiting for you',
        '---',
        'Question #52: Round totals (invoice-service)',
        '6 more in the inbox',
        '---',
        'invoice-service >',
        '---',
        'Kill switch: stop everything',
        '---',
        'Ledger',
        'Settings',
        'Quit Signalbox',
      ],
      'waiting',
      '7',
      'Signalbox: 4 running, 7 waiting for you',
    ]);
  });

  test('a project has its state, a switch, slots from none to eight and its folder', () => {
    const menu = trayMenu(stateOf({ projects: [project] })).items.find((item) => item.kind === 'menu');
    expect(lines(menu?.kind === 'menu' ? menu.items : [])).toEqual([
      '2 of 3 slots in use',
      '* Enabled',
      '---',
      '  0 slots',
      '  1 slot',
      '  2 slots',
      '* 3 slots',
      '  4 slots',
      '  5 slots',
      '  6 slots',
      '  7 slots',
      '  8 slots',
      '---',
      'Open folder',
    ]);
  });

  test('what an item does is said by what is shown, not by what the system toggled', () => {
    const off = { ...project, enabled: false };
    const acts = trayMenu(stateOf({ projects: [off] })).items.flatMap((item) =>
      item.kind === 'menu' ? item.items.flatMap((each) => ('act' in each ? [each.act] : [])) : [],
    );
    expect([acts[0], acts[6], acts.at(-1)]).toEqual([
      { kind: 'enable', project: 'prj_1', isEnabled: true },
      { kind: 'slots', project: 'prj_1', slots: 5 },
      { kind: 'open-folder', project: 'prj_1' },
    ]);
  });

  test('shows five items at most', () => {
    const newest = [1, 2, 3, 4, 5, 6].map((number) => anItem(number));
    const shown = lines(trayMenu(stateOf({ waiting: 6, newest })).items).filter((line) => line.includes('#'));
    expect(shown.length).toBe(5);
  });

  test.each([
    ['\u202Egnp.exe\nsecond line <b>bold</b>', 'gnp.exe second line bold'],
    ['Fish & chips', 'Fish && chips'],
  ])('a title is one plain line with & as itself: %j', (title, shown) => {
    const [, , item] = lines(trayMenu(stateOf({ waiting: 1, newest: [anItem(1, title, null)] })).items);
    expect(item).toBe(`Question #1: ${shown}`);
  });

  test('no label is longer than sixty characters', () => {
    const long = 'x'.repeat(500);
    const view = trayMenu(
      stateOf({
        waiting: 1,
        newest: [anItem(1, long, long)],
        projects: [{ ...project, name: long, hold: long }],
        holds: [{ kind: 'login', reason: long, since: killed.since, until: null, item: null }],
      }),
    );
    const labels = view.items.flatMap((item) => (item.kind === 'menu' ? [item, ...item.items] : [item]));
    expect(labels.filter((item) => 'label' in item && item.label.length > 60)).toEqual([]);
  });
});

describe('the tray in German', () => {
  const de = { language: 'de', locale: 'de-DE', timeZone: 'UTC' } as const;
  const quiet = { until: epochMs(Date.UTC(2026, 2, 3, 7)), withheld: 1 };

  test('says everything that is its own in German', () => {
    const held = { ...project, hold: 'The project is paused.' };
    const view = trayMenu(
      stateOf(
        { running: 1, waiting: 7, paused: true, projects: [held], newest: [anItem(52, 'Round totals')] },
        { writing: de, quiet, problem: 'x', hub: { kind: 'other', pid: 7, host: 'web' } },
      ),
    );
    const menu = view.items.find((item) => item.kind === 'menu');
    expect([view.tooltip, lines(view.items)]).toEqual([
      'Signalbox: 1 läuft, 7 warten auf dich',
      [
        '1 läuft, 7 warten auf dich, Pause',
        'Der Hub ist ein anderes Programm: web, Prozess 7',
        'Ruhezeit bis 07:00, 1 wartet still',
        'Benachrichtigungen werden nicht gezeigt',
        '---',
        'Frage #52: Round totals (invoice-service)',
        '6 weitere im Eingang',
        '---',
        'invoice-service >',
        '---',
        'Notaus: alles anhalten',
        '---',
        'Hauptbuch',
        'Einstellungen',
        'Signalbox beenden',
      ],
    ]);
    expect(lines(menu?.kind === 'menu' ? menu.items : []).filter((line) => !/^. \d Pl/.test(line))).toEqual([
      'Das Projekt ist in Pause.',
      '* Eingeschaltet',
      '---',
      '---',
      'Ordner öffnen',
    ]);
  });

  test('says a stop, a hold and a hub that is gone', () => {
    const login = {
      kind: 'login' as const,
      reason: 'Claude Code needs a login.',
      since: killed.since,
      until: null,
      item: 3,
    };
    const firstLine = (over: Partial<HubSummaryView> | null, rest: Partial<TrayState> = {}) =>
      lines(trayMenu(stateOf(over, { writing: de, ...rest })).items)[0];
    expect([
      firstLine({ killed }),
      firstLine({ killed, survivors: [17] }),
      firstLine({ holds: [login] }),
      firstLine(null, { hub: { kind: 'gone', canStart: true } }),
      firstLine(null, { hub: { kind: 'silent', isOurs: true }, isKillFileThere: true }),
    ]).toEqual([
      'Alles ist angehalten',
      'Notaus: 1 Prozess lebt noch',
      '0 laufen, 0 warten auf dich, angehalten: Anmeldung',
      'Keine Verbindung: der Hub ist beendet',
      'Alles ist angehalten. Der Hub antwortet nicht',
    ]);
  });

  test('leaves nothing of its own in English', () => {
    const texts = (value: unknown): string[] => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'function') return [String((value as (...facts: unknown[]) => unknown)(3, 4))];
      return value === null ? [] : Object.values(value as object).flatMap(texts);
    };
    const english = new Set(texts({ ...TRAY_WORDS.en, holds: null, sentences: {} }));
    expect(texts(TRAY_WORDS.de).filter((text) => english.has(text))).toEqual([]);
  });
});

describe('the state of the tray', () => {
  test.each([
    [{}, 'idle'],
    [{ running: 2 }, 'running'],
    [{ running: 2, waiting: 1 }, 'waiting'],
    [{ running: 2, waiting: 1, killed }, 'killed'],
    [null, 'idle'],
  ] as const)('%j is %s', (summary, icon) => {
    expect(trayMenu(stateOf(summary)).icon).toBe(icon);
  });

  test('a kill offers the release, and says what still lives', () => {
    const calm = lines(trayMenu(stateOf({ killed })).items);
    const alive = trayMenu(stateOf({ killed, survivors: [17] }));
    expect([calm[0], calm.includes('Release kill switch…'), alive.tooltip]).toEqual([
      'Everything is stopped',
      true,
      'Signalbox: Killed: 1 process is still alive',
    ]);
    expect(calm.includes('Kill switch: stop everything')).toBe(false);
  });

  test('quiet hours say until when, and how many wait', () => {
    const quiet = { until: epochMs(Date.UTC(2026, 2, 3, 7)), withheld: 3 };
    expect(lines(trayMenu(stateOf({}, { quiet })).items)).toContain(
      'Quiet hours until 07:00, 3 waiting quietly',
    );
  });

  test('without a hub it says so, can start one, and can still stop everything', () => {
    const shown = lines(trayMenu(stateOf(null, { hub: { kind: 'gone', canStart: true } })).items);
    expect(shown.slice(0, 4)).toEqual([
      'No connection: the hub has ended',
      'Start the hub here',
      '---',
      'Kill switch: stop everything',
    ]);
  });

  test('a hub that does not answer is named, and our own can be ended and started again', () => {
    const own = lines(trayMenu(stateOf(null, { hub: { kind: 'silent', isOurs: true } })).items);
    const foreign = lines(trayMenu(stateOf(null, { hub: { kind: 'silent', isOurs: false } })).items);
    expect([own.slice(0, 4), foreign.slice(0, 3)]).toEqual([
      ['The hub does not answer', 'End the hub and start it again', '---', 'Kill switch: stop everything'],
      ['The hub does not answer', '---', 'Kill switch: stop everything'],
    ]);
  });

  test('the kill file counts also where no hub has told of it', () => {
    const view = trayMenu(stateOf(null, { hub: { kind: 'gone', canStart: true }, isKillFileThere: true }));
    const [status] = lines(view.items);
    expect([view.icon, status, lines(view.items).includes('Kill switch: stop everything')]).toEqual([
      'killed',
      'Everything is stopped. No connection: the hub has ended',
      true,
    ]);
  });

  test('pause, holds, another hub and silent notifications are named', () => {
    const holds = [
      {
        kind: 'login' as const,
        reason: 'Claude Code needs a login',
        since: killed.since,
        until: null,
        item: 3,
      },
    ];
    const shown = lines(
      trayMenu(
        stateOf({ paused: true, holds }, { problem: 'x', hub: { kind: 'other', pid: 7, host: 'hub' } }),
      ).items,
    );
    expect(shown.slice(0, 3)).toEqual([
      '0 running, 0 waiting for you, paused, on hold: Claude Code…',
      'The hub is another program: hub, pid 7',
      'Notifications are not shown',
    ]);
  });
});
