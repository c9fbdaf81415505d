import { powerMonitor, powerSaveBlocker } from 'electron';
import type { Disposable } from '../../core/ports/world.ts';

export interface Power extends Disposable {
  /** The computer stays awake while agents run; its screen may go dark. */
  keepAwake(isWanted: boolean): void;
}

export function createPower(handlers: { resumed(): void; shutdown(): void }): Power {
  let blocker: number | null = null;
  powerMonitor.on('resume', handlers.resumed);
  powerMonitor.on('unlock-screen', handlers.resumed);
  powerMonitor.on('shutdown', handlers.shutdown);
  const release = (): void => {
    if (blocker !== null) powerSaveBlocker.stop(blocker);
    blocker = null;
  };
  return {
    keepAwake: (isWanted) => {
      if (!isWanted) release();
      else blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    },
    dispose: () => {
      release();
      powerMonitor.off('resume', handlers.resumed);
      powerMonitor.off('unlock-screen', handlers.resumed);
      powerMonitor.off('shutdown', handlers.shutdown);
    },
  };
}
