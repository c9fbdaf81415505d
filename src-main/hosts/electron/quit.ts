import { app, dialog } from 'electron';
import type { Log } from '../../core/ports/world.ts';
import { quitPlan, stopPatienceMs, type QuitCause } from './quit-plan.ts';
import type { QuitWords } from './tray-words.ts';

/** Place of its button, as `QuitWords` has them. */
const KEEP_RUNNING = 0;

export interface QuitDeps {
  readonly log: Log;
  /** Whether the hub is ours, and how many tasks run in it. */
  load(): { readonly isOurHub: boolean; readonly running: number };
  words(): QuitWords;
  /** Windows close from now on instead of hiding. */
  letGo(): void;
  stopHub(patienceMs: number): Promise<void>;
  dispose(): void;
}

export interface Quitting {
  /** The computer shuts down: nothing may hold it up. */
  shutdown(): void;
  /** Stops all that is ours, then leaves it to `install` to end the application. */
  update(install: () => void): void;
  /** Nothing is to be started any more. */
  readonly isLeaving: boolean;
}

/** Every way to end leads through here: ask if agents run, stop the hub cleanly, let go of everything, leave. */
export function watchQuit(deps: QuitDeps): Quitting {
  let cause: QuitCause = 'person';
  let isAsking = false;
  let isDecided = false;
  let isInstalling = false;
  /** Past every `before-quit`: all that those would do is done. */
  let end = (): void => app.exit(0);

  async function leave(): Promise<void> {
    deps.letGo();
    await deps.stopHub(stopPatienceMs(cause));
    deps.dispose();
    end();
  }

  function decide(): void {
    isDecided = true;
    leave().catch((error: unknown) => {
      deps.log.error('quitting did not go well', { error: String(error) });
      app.exit(1);
    });
  }

  async function ask(running: number): Promise<void> {
    const words = deps.words();
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: words.running(running),
      detail: words.detail,
      buttons: [...words.buttons],
      defaultId: KEEP_RUNNING,
      cancelId: KEEP_RUNNING,
      noLink: true,
    });
    isAsking = false;
    if (response !== KEEP_RUNNING && !isDecided) decide();
  }

  app.on('before-quit', (event) => {
    if (cause === 'shutdown') {
      // What is stored is stored; the guardian ends what runs (electron.md, 1.4).
      deps.letGo();
      void deps.stopHub(stopPatienceMs(cause));
      return;
    }
    // The installer ends the application by quitting it; everything is stopped by then.
    if (isInstalling) return;
    event.preventDefault();
    if (isDecided) return;
    const plan = quitPlan({ cause, isDecided, ...deps.load() });
    if (plan.kind === 'stop') decide();
    else if (!isAsking) {
      isAsking = true;
      void ask(plan.running);
    }
  });
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      cause = 'signal';
      app.quit();
    });
  }
  return {
    get isLeaving() {
      return isDecided || cause === 'shutdown';
    },
    shutdown: () => {
      cause = 'shutdown';
    },
    update: (install) => {
      if (isDecided) return;
      cause = 'update';
      end = () => {
        isInstalling = true;
        install();
      };
      decide();
    },
  };
}
