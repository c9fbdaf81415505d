/** Puts the application together once Electron is ready: hub, window, tray, notifications. No rules are here. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { app, dialog, ipcMain, MessageChannelMain, session, utilityProcess } from 'electron';
import type { HubSummaryView } from '../../../src-shared/api/hub-summary.ts';
import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { locateDataFolder, openDataFolder, type DataFolder } from '../../adapters/data-folder.ts';
import { createFileLog } from '../../adapters/file-log.ts';
import { connectByPort } from '../../adapters/hub-calls.ts';
import { createKillFile } from '../../adapters/kill-file.ts';
import { socketPort } from '../../adapters/local-socket/socket-port.ts';
import { markNotifier } from '../../adapters/notifier/notifier-mark.ts';
import { createNoticeRecordFile } from '../../adapters/notifier/record-file.ts';
import { sha256 } from '../../adapters/sha256.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { writeFileAtomicSync } from '../../adapters/write-file.ts';
import { createNotifyService } from '../../core/notify/notify-service.ts';
import { notifyPreferences } from '../../core/notify/preferences.ts';
import { writingOf, type Writing } from '../../core/notify/words.ts';
import type { Disposable } from '../../core/ports/world.ts';
import { personName } from '../../hub/person.ts';
import { secureSession } from './app-protocol.ts';
import { showBadge } from './badge.ts';
import { chooseNotifier } from './choose-notifier.ts';
import { routeOf } from './deep-links.ts';
import { followSummary } from './follow-summary.ts';
import { createHubProcess } from './hub-process.ts';
import { createIpc } from './ipc.ts';
import { createKillSwitch, withKillSwitch } from './kill-switch.ts';
import { createLoginItem } from './login-item.ts';
import { packageUpdater } from './package-updater.ts';
import { createPower } from './power.ts';
import { watchQuit } from './quit.ts';
import { askShell } from './shell-environment.ts';
import { createShortcut } from './shortcut.ts';
import type { Starts } from './starts.ts';
import { createTrayActs } from './tray-acts.ts';
import { followTrayHost, waitForTrayHost } from './tray-host.ts';
import { trayHub, trayMenu, type TrayState } from './tray-menu.ts';
import { sentenceIn, TRAY_WORDS } from './tray-words.ts';
import { createTray, type AppTray } from './tray.ts';
import { createUpdates, type Updates } from './updates.ts';
import { createSizeFile } from './window-size.ts';
import { createWindows } from './windows.ts';

/** Where the parts of the built application lie. */
const placesBelow = (folder: string) => ({
  renderer: path.join(folder, '..', 'renderer'),
  preload: path.join(folder, '..', 'preload', 'preload.cjs'),
  hub: path.join(folder, 'hub-entry.js'),
  icons: path.join(folder, '..', 'icons'),
});

function openFolder(): DataFolder {
  try {
    return openDataFolder(locateDataFolder(process.env));
  } catch (error) {
    if (isAppError(error)) dialog.showErrorBox(error.message, error.hint ?? '');
    throw error;
  }
}

export async function boot(given: {
  readonly starts: Starts;
  readonly platform: NodeJS.Platform;
  /** Of the entry: `out/main`. */
  readonly folder: string;
}): Promise<void> {
  const { starts } = given;
  const place = placesBelow(given.folder);
  // Tests play another system on this one; a packaged application is never asked.
  const platform = app.isPackaged
    ? given.platform
    : ((process.env['SIGNALBOX_TEST_PLATFORM'] as NodeJS.Platform | undefined) ?? given.platform);
  const clock = systemClock;
  const folder = openFolder();
  const log = createFileLog({ file: path.join(folder.data, 'logs', 'desktop.log'), clock });
  const pages = session.fromPartition('persist:window');
  secureSession(pages, place.renderer);

  let summary: HubSummaryView | null = null;
  let preferences: PreferencesView | null = null;
  let tray: AppTray | null = null;
  let trayWatch: Disposable | null = null;
  /** The hub runs and lets questions wait. */
  let isSilent = false;
  /** Null where the package names no server for updates. */
  let updates: Updates | null = null;
  /** Null until it is known whether an icon would be seen. */
  let hasTray: boolean | null = null;

  let hubEnvironment: NodeJS.ProcessEnv = process.env;
  const hubProcess = createHubProcess({
    clock,
    log,
    fork: () =>
      // Its messages are checked when they come; Electron's declaration knows only that they are.
      utilityProcess.fork(place.hub, [], {
        serviceName: 'Signalbox hub',
        stdio: 'inherit',
        env: hubEnvironment,
      }),
    channel: () => {
      const { port1, port2 } = new MessageChannelMain();
      return { ours: port1, theirs: port2 };
    },
    connectElsewhere: (socket, { name, via }, onClose) =>
      socketPort(socket, { name, via, isAgent: false }, onClose),
    onState: (state) => {
      if (state.kind === 'gone') summary = null;
      if (state.kind !== 'ours' && state.kind !== 'other') isSilent = false;
      if (state.kind === 'gone' && state.message !== null) {
        const words = TRAY_WORDS[writing().language];
        dialog.showErrorBox(words.noHub, sentenceIn(words, state.message) ?? state.message);
      }
      draw();
    },
    endByForce: (pid) => {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    },
  });
  const person = personName();
  const hub = connectByPort(
    () => hubProcess.openPort({ name: person, via: 'desktop' }),
    () => tellConnection(),
  );
  function tellConnection(): void {
    ipc.connection(hub.isOpen && !isSilent ? 'open' : 'lost');
  }
  const notifyHub = connectByPort(() => hubProcess.openPort({ name: person, via: 'notification' }));

  const killFile = createKillFile(folder.data, clock);
  const press = createKillSwitch({
    folder,
    clock,
    person,
    hub,
    onAlone: ({ ended, alive }) => {
      log.warn('everything was stopped without an answer of the hub', { ended, alive });
      draw();
      void notify.tell(({ stopped }) => ({
        title: stopped.title,
        body: stopped.alone(ended.length, alive.length),
      }));
    },
  });

  const windows = createWindows({
    preload: place.preload,
    session: pages,
    isPackaged: app.isPackaged,
    log,
    words: () => TRAY_WORDS[writing().language].link,
    bounds: createSizeFile(path.join(app.getPath('userData'), 'window.json')),
    onClose: () => {
      if (hasTray !== false) return 'hide';
      app.quit();
      return 'stay';
    },
    onPage: (contents) => ipc.forget(contents),
  });
  const ipc = createIpc({
    ipc: ipcMain,
    hub: withKillSwitch(hub, press),
    log,
    isOurWindow: (contents) => windows.isOurs(contents),
  });

  const notify = createNotifyService({
    hub: notifyHub,
    notifier: chooseNotifier({ platform, env: process.env, clock, log }),
    host: 'desktop',
    locale: app.getLocale(),
    records: createNoticeRecordFile(path.join(folder.data, 'notices.json'), writeFileAtomicSync, log),
    clock,
    log,
    hash: sha256,
    newKey: () => randomBytes(16).toString('hex'),
    preferences: async () =>
      notifyPreferences((await notifyHub.query('settings.show', undefined)).preferences),
    open: (target) => windows.show(routeOf(target)),
    isShown: (item) => windows.isShown(item),
    onState: () => {
      sayOnce();
      draw();
    },
  });

  const act = createTrayActs({
    hub,
    kill: press,
    log,
    words: () => TRAY_WORDS[writing().language].dialogs,
    summary: () => summary,
    show: (route) => windows.show(route),
    startHub: () => hubProcess.start(),
    restartHub: () => hubProcess.restart(),
    update: async () => updates?.go(),
    quit: () => app.quit(),
    done: () => follower.look(),
  });

  let hasSaid = false;
  /** Once, where it is seen; the badge goes on counting. */
  function sayOnce(): void {
    const { problem } = notify.state;
    const window = windows.current;
    if (problem === null || hasSaid || window === null || !windows.isVisible) return;
    hasSaid = true;
    void dialog.showMessageBox(window, { type: 'info', message: problem });
  }

  const writing = (): Writing => writingOf(preferences?.language.value ?? 'system', app.getLocale());

  function trayState(): TrayState {
    const { quietUntil, withheld, problem } = notify.state;
    return {
      summary,
      hub: trayHub(hubProcess.state, isSilent),
      isKillFileThere: killFile.read() !== null,
      quiet: quietUntil === null ? null : { until: quietUntil, withheld },
      problem,
      update: updates?.state ?? null,
      writing: writing(),
    };
  }

  function makeTray(): void {
    tray?.dispose();
    tray = createTray({ platform, icons: place.icons, act });
    draw();
  }

  function draw(): void {
    tray?.show(trayMenu(trayState()));
    const waiting = summary?.waiting ?? 0;
    const meaning = TRAY_WORDS[writing().language].waiting(waiting);
    showBadge(waiting, meaning, platform, path.join(place.icons, 'badge.png'), windows.current);
  }

  const loginItem = createLoginItem({ app, platform: given.platform, env: process.env });
  const shortcut = createShortcut(() => windows.show(routeOf({ kind: 'inbox' })), log);
  const power = createPower({
    resumed: () => {
      follower.look();
      notify.wake();
    },
    shutdown: () => quitting.shutdown(),
  });
  const follower = followSummary(
    { hub, clock, log },
    {
      onSummary: (next) => {
        summary = next;
        power.keepAwake(next.running > 0);
        draw();
      },
      onSilence: (next) => {
        const { kind } = hubProcess.state;
        isSilent = next && (kind === 'ours' || kind === 'other');
        if (isSilent) {
          log.warn('the hub does not answer', {});
          summary = null;
        }
        tellConnection();
        draw();
      },
      onPreferences: (next) => {
        const isNew = JSON.stringify(next) !== JSON.stringify(preferences);
        preferences = next;
        if (!isNew) return;
        draw();
        shortcut.set(next.shortcut.value);
        if (app.isPackaged && loginItem.isOn() !== next.loginItem.value) loginItem.set(next.loginItem.value);
      },
    },
  );

  const killWatch = killFile.watch(() => draw());
  const quitting = watchQuit({
    log,
    load: () => ({
      isOurHub: hubProcess.state.kind === 'ours',
      running: summary?.running ?? 0,
    }),
    words: () => TRAY_WORDS[writing().language].quitting,
    letGo: () => windows.letGo(),
    stopHub: (patienceMs) => hubProcess.stop(patienceMs),
    dispose: () => {
      follower.dispose();
      killWatch.dispose();
      notify.dispose();
      mark.dispose();
      shortcut.set(null);
      power.dispose();
      ipc.dispose();
      trayWatch?.dispose();
      tray?.dispose();
    },
  });

  const updater = packageUpdater({
    isPackaged: app.isPackaged,
    resources: process.resourcesPath,
    log,
    onFailure: () => {
      app.relaunch();
      app.exit(1);
    },
  });
  updates =
    updater === null
      ? null
      : createUpdates({
          updater,
          log,
          words: () => TRAY_WORDS[writing().language].updates,
          confirm: async ({ buttons, ...question }) => {
            const { response } = await dialog.showMessageBox({
              type: 'question',
              ...question,
              buttons: [...buttons],
              defaultId: 0,
              cancelId: 0,
              noLink: true,
            });
            return response === 1;
          },
          tell: async (message, detail) => {
            await dialog.showMessageBox({ type: 'info', message, detail });
          },
          running: () => (hubProcess.state.kind === 'ours' ? (summary?.running ?? 0) : 0),
          leave: (install) => quitting.update(install),
          changed: () => draw(),
        });

  app.on('activate', () => windows.show());
  void askShell({ env: process.env, platform, clock, log }).then((env) => {
    hubEnvironment = env;
    if (!quitting.isLeaving) hubProcess.start();
  });
  const mark = markNotifier(folder.data);
  notify.start();
  starts.deliverTo((wanted) => windows.show(wanted === null ? undefined : routeOf(wanted)));
  if (!starts.isHidden) windows.show();

  const trayHost = { platform, env: process.env, clock };
  hasTray = await waitForTrayHost(trayHost);
  // Made in any case: some panels take it up later.
  makeTray();
  if (!hasTray) {
    log.warn('no panel shows tray icons', {});
    windows.show();
    if (starts.isHidden) void notify.tell((words) => words.noTray);
  }
  trayWatch = followTrayHost(trayHost, hasTray, (isHosted) => {
    log.info(isHosted ? 'a panel shows tray icons now' : 'the panel with tray icons is gone', {});
    hasTray = isHosted;
    if (isHosted) makeTray();
    // It is the only way in now.
    else if (!windows.isVisible) windows.show();
  });
}
