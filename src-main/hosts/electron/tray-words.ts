import type { HoldKind } from '../../../src-shared/model/hold.ts';
import type { ItemKind } from '../../../src-shared/model/item.ts';
import type { NoticeLanguage } from '../../core/notify/words.ts';
import { ENDED_OFTEN } from './restart-policy.ts';
import type { UpdateWords } from './updates.ts';

/** The question of a person who quits while agents run. */
export interface QuitWords {
  readonly running: (agents: number) => string;
  readonly detail: string;
  /** Keep running, stop agents and quit. */
  readonly buttons: readonly [string, string];
}

/** The question before a link to the web is opened. */
export interface LinkWords {
  readonly open: (host: string) => string;
  /** Cancel, open. */
  readonly buttons: readonly [string, string];
}

/** What the tray and its dialogs say; names, titles and the hub's own sentences come from elsewhere. */
export interface TrayWords {
  readonly kinds: Readonly<Record<ItemKind, string>>;
  readonly hubEnded: string;
  readonly hubSilent: string;
  readonly hubStarting: string;
  readonly stopped: string;
  readonly killedAlive: (alive: number) => string;
  readonly status: (running: number, waiting: number) => string;
  /** After the status. */
  readonly paused: string;
  readonly onHold: (reason: string) => string;
  /** Why the hub dispatches nothing, where its own sentence is not taken. */
  readonly holds: Readonly<Record<HoldKind, string>> | null;
  /** Sentences of the hub and of its process, by their words. */
  readonly sentences: Readonly<Record<string, string>>;
  readonly noHub: string;
  /** Of the mark on the application's button in the task bar. */
  readonly waiting: (items: number) => string;
  readonly otherHub: (host: string, pid: number) => string;
  readonly startHub: string;
  readonly restartHub: string;
  readonly quiet: (time: string, withheld: number) => string;
  readonly notShown: string;
  readonly moreItems: (count: number) => string;
  readonly off: string;
  readonly slotsInUse: (used: number, slots: number) => string;
  readonly slots: (count: number) => string;
  readonly enabled: string;
  readonly openFolder: string;
  readonly release: string;
  readonly kill: string;
  readonly ledger: string;
  readonly settings: string;
  readonly quit: string;
  readonly quitting: QuitWords;
  readonly link: LinkWords;
  readonly updates: UpdateWords;
  readonly dialogs: {
    readonly killFailed: string;
    readonly killFailedDetail: (problem: string) => string;
    readonly release: string;
    readonly releaseDetail: string;
    /** Keep stopped, release and start nothing new, release. */
    readonly releaseButtons: readonly [string, string, string];
    readonly failed: string;
    readonly failedDetail: string;
  };
}

const EN: TrayWords = {
  kinds: {
    specify: 'Question',
    approve: 'Approval',
    gate: 'Gate',
    permission: 'Permission',
    review: 'Review',
    manual: 'Manual',
  },
  hubEnded: 'No connection: the hub has ended',
  hubSilent: 'The hub does not answer',
  hubStarting: 'The hub is starting',
  stopped: 'Everything is stopped',
  killedAlive: (alive) =>
    `Killed: ${alive === 1 ? '1 process is still alive' : `${alive} processes are still alive`}`,
  status: (running, waiting) => `${running} running, ${waiting} waiting for you`,
  paused: ', paused',
  onHold: (reason) => `, on hold: ${reason}`,
  holds: null,
  sentences: {},
  noHub: 'Signalbox has no hub',
  waiting: (items) => `${items} waiting for you`,
  otherHub: (host, pid) => `The hub is another program: ${host}, pid ${pid}`,
  startHub: 'Start the hub here',
  restartHub: 'End the hub and start it again',
  quiet: (time, withheld) =>
    `Quiet hours until ${time}${withheld === 0 ? '' : `, ${withheld} waiting quietly`}`,
  notShown: 'Notifications are not shown',
  moreItems: (count) => `${count} more in the inbox`,
  off: 'off',
  slotsInUse: (used, slots) => `${used} of ${slots} slots in use`,
  slots: (count) => (count === 1 ? '1 slot' : `${count} slots`),
  enabled: 'Enabled',
  openFolder: 'Open folder',
  release: 'Release kill switch…',
  kill: 'Kill switch: stop everything',
  ledger: 'Ledger',
  settings: 'Settings',
  quit: 'Quit Signalbox',
  quitting: {
    running: (agents) => (agents === 1 ? '1 agent is running.' : `${agents} agents are running.`),
    detail:
      'Quitting interrupts them. Their sessions stay and go on when Signalbox is started again; nothing is lost.',
    buttons: ['Keep running', 'Stop agents and quit'],
  },
  link: { open: (host) => `Open ${host} in your browser?`, buttons: ['Cancel', 'Open'] },
  updates: {
    check: 'Check for updates…',
    checking: 'Checking for updates…',
    loading: (version, percent) => `Fetching version ${version}: ${percent} %`,
    install: (version) => `Install version ${version}…`,
    none: 'This is the newest version.',
    found: (version) => `Version ${version} is there.`,
    foundDetail: 'It is fetched in the background, and installed when you say so.',
    foundButtons: ['Not now', 'Fetch it'],
    ready: (version) => `Install version ${version} now?`,
    readyDetail: (running) =>
      running === 0
        ? 'Signalbox ends and comes back as the new version.'
        : `Signalbox ends and comes back as the new version. That interrupts ${running === 1 ? '1 agent' : `${running} agents`}; sessions stay and go on afterwards.`,
    readyButtons: ['Later', 'Install and restart'],
    failed: 'The update did not work.',
  },
  dialogs: {
    killFailed: 'Everything was ended, and the kill switch does not hold.',
    killFailedDetail: (problem) => `${problem} Quit Signalbox so that nothing starts again.`,
    release: 'Release the kill switch?',
    releaseDetail: 'Waiting tasks start again, in their own sessions.',
    releaseButtons: ['Keep stopped', 'Release, but start nothing new', 'Release'],
    failed: 'That did not work.',
    failedDetail: 'The log in the data folder has the details.',
  },
};

const DE: TrayWords = {
  kinds: {
    specify: 'Frage',
    approve: 'Freigabe',
    gate: 'Schranke',
    permission: 'Erlaubnis',
    review: 'Durchsicht',
    manual: 'Handarbeit',
  },
  hubEnded: 'Keine Verbindung: der Hub ist beendet',
  hubSilent: 'Der Hub antwortet nicht',
  hubStarting: 'Der Hub startet',
  stopped: 'Alles ist angehalten',
  killedAlive: (alive) => `Notaus: ${alive === 1 ? '1 Prozess lebt noch' : `${alive} Prozesse leben noch`}`,
  status: (running, waiting) =>
    `${running} ${running === 1 ? 'läuft' : 'laufen'}, ${waiting} ${waiting === 1 ? 'wartet' : 'warten'} auf dich`,
  paused: ', Pause',
  onHold: (reason) => `, angehalten: ${reason}`,
  holds: {
    login: 'Anmeldung',
    'usage-limit': 'Nutzungsgrenze',
    overload: 'Modelldienst',
    billing: 'Guthaben',
    disk: 'Platte',
    executable: 'Claude Code',
  },
  sentences: {
    'The kill switch is engaged.': 'Das Notaus ist ausgelöst.',
    'Everything is paused.': 'Alles ist in Pause.',
    'The project is switched off.': 'Das Projekt ist ausgeschaltet.',
    'The project is paused.': 'Das Projekt ist in Pause.',
    'The project has no slots.': 'Das Projekt hat keine Plätze.',
    'The cap per call is below one cent.': 'Die Grenze je Aufruf liegt unter einem Cent.',
    "The project's budget is used up.": 'Das Budget des Projekts ist aufgebraucht.',
    "The spike's budget is used up.": 'Das Budget des Spikes ist aufgebraucht.',
    [ENDED_OFTEN]: 'Der Hub endete mehrmals unerwartet. Das Log im Datenordner hat die Einzelheiten.',
  },
  noHub: 'Signalbox hat keinen Hub',
  waiting: (items) => `${items} ${items === 1 ? 'wartet' : 'warten'} auf dich`,
  otherHub: (host, pid) => `Der Hub ist ein anderes Programm: ${host}, Prozess ${pid}`,
  startHub: 'Den Hub hier starten',
  restartHub: 'Den Hub beenden und neu starten',
  quiet: (time, withheld) =>
    `Ruhezeit bis ${time}${withheld === 0 ? '' : `, ${withheld} ${withheld === 1 ? 'wartet' : 'warten'} still`}`,
  notShown: 'Benachrichtigungen werden nicht gezeigt',
  moreItems: (count) => `${count} weitere im Eingang`,
  off: 'aus',
  slotsInUse: (used, slots) => `${used} von ${slots} Plätzen belegt`,
  slots: (count) => (count === 1 ? '1 Platz' : `${count} Plätze`),
  enabled: 'Eingeschaltet',
  openFolder: 'Ordner öffnen',
  release: 'Notaus lösen…',
  kill: 'Notaus: alles anhalten',
  ledger: 'Hauptbuch',
  settings: 'Einstellungen',
  quit: 'Signalbox beenden',
  quitting: {
    running: (agents) => (agents === 1 ? '1 Agent läuft.' : `${agents} Agenten laufen.`),
    detail:
      'Beenden unterbricht sie. Ihre Sitzungen bleiben und gehen weiter, wenn Signalbox wieder gestartet wird; nichts geht verloren.',
    buttons: ['Weiterlaufen lassen', 'Agenten anhalten und beenden'],
  },
  link: { open: (host) => `${host} im Browser öffnen?`, buttons: ['Abbrechen', 'Öffnen'] },
  updates: {
    check: 'Nach Updates suchen…',
    checking: 'Suche nach Updates…',
    loading: (version, percent) => `Version ${version} wird geladen: ${percent} %`,
    install: (version) => `Version ${version} installieren…`,
    none: 'Das ist die neueste Version.',
    found: (version) => `Version ${version} ist da.`,
    foundDetail: 'Sie wird im Hintergrund geladen und erst installiert, wenn du es sagst.',
    foundButtons: ['Jetzt nicht', 'Laden'],
    ready: (version) => `Version ${version} jetzt installieren?`,
    readyDetail: (running) =>
      running === 0
        ? 'Signalbox endet und kommt als neue Version wieder.'
        : `Signalbox endet und kommt als neue Version wieder. Das unterbricht ${running === 1 ? '1 Agenten' : `${running} Agenten`}; ihre Sitzungen bleiben und gehen danach weiter.`,
    readyButtons: ['Später', 'Installieren und neu starten'],
    failed: 'Das Update ging nicht.',
  },
  dialogs: {
    killFailed: 'Alles wurde beendet, aber das Notaus hält nicht.',
    killFailedDetail: (problem) => `${problem} Beende Signalbox, damit nichts wieder startet.`,
    release: 'Notaus lösen?',
    releaseDetail: 'Wartende Aufgaben gehen in ihren Sitzungen weiter.',
    releaseButtons: ['Angehalten lassen', 'Lösen, aber nichts Neues starten', 'Lösen'],
    failed: 'Das ging nicht.',
    failedDetail: 'Das Log im Datenordner hat die Einzelheiten.',
  },
};

export const TRAY_WORDS: Readonly<Record<NoticeLanguage, TrayWords>> = { en: EN, de: DE };

/** A sentence of the hub or of its process in the language; undefined for one that is not known beforehand. */
export const sentenceIn = ({ sentences }: TrayWords, sentence: string): string | undefined =>
  Object.hasOwn(sentences, sentence) ? sentences[sentence] : undefined;
