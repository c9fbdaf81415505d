import { dialog, shell } from 'electron';
import type { HubSummaryView } from '../../../src-shared/api/hub-summary.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import type { HubCalls } from '../../core/ports/hub-calls.ts';
import type { Log } from '../../core/ports/world.ts';
import { routeOf } from './deep-links.ts';
import type { PressKill } from './kill-switch.ts';
import type { TrayAct } from './tray-menu.ts';
import type { TrayWords } from './tray-words.ts';

export interface TrayActDeps {
  readonly hub: HubCalls;
  readonly kill: PressKill;
  readonly log: Log;
  /** In the person's language. */
  words(): TrayWords['dialogs'];
  summary(): HubSummaryView | null;
  show(route: string): void;
  startHub(): void;
  restartHub(): void;
  /** Asks for a new version, or installs the one that was fetched. */
  update(): Promise<void>;
  quit(): void;
  /** Something was tried: what is shown is looked at again. */
  done(): void;
}

const KEEP_STOPPED = 0;
const RELEASE_PAUSED = 1;

/** What the items of the tray's menu do; the same calls as in the window. */
export function createTrayActs(deps: TrayActDeps): (act: TrayAct) => void {
  const { hub } = deps;

  async function kill(): Promise<void> {
    const { problem } = await deps.kill('');
    if (problem === undefined) return;
    await dialog.showMessageBox({
      type: 'error',
      message: deps.words().killFailed,
      detail: deps.words().killFailedDetail(problem),
    });
  }

  /** Stays stopped unless a person says otherwise: a double press releases nothing (DESIGN, 4). */
  async function release(): Promise<void> {
    const words = deps.words();
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: words.release,
      detail: words.releaseDetail,
      buttons: [...words.releaseButtons],
      defaultId: KEEP_STOPPED,
      cancelId: KEEP_STOPPED,
      noLink: true,
    });
    if (response === KEEP_STOPPED) return;
    if (response === RELEASE_PAUSED) await hub.mutate('hub.pause', {});
    await hub.mutate('hub.release', { confirmed: true });
  }

  async function openFolder(id: string): Promise<void> {
    const project = deps.summary()?.projects.find((each) => each.id === id);
    if (project === undefined) return;
    const problem = await shell.openPath(project.path);
    if (problem !== '') deps.log.warn('a folder could not be opened', { problem });
  }

  async function carryOut(act: TrayAct): Promise<void> {
    switch (act.kind) {
      case 'open':
        return deps.show(routeOf({ kind: 'page', page: act.page }));
      case 'open-item':
        return deps.show(routeOf({ kind: 'item', number: act.item }));
      case 'enable':
        await hub.mutate(act.isEnabled ? 'project.enable' : 'project.disable', { project: act.project });
        return;
      case 'slots':
        await hub.mutate('project.slots', { project: act.project, slots: act.slots });
        return;
      case 'open-folder':
        return openFolder(act.project);
      case 'kill':
        return kill();
      case 'release':
        return release();
      case 'start-hub':
        return deps.startHub();
      case 'restart-hub':
        return deps.restartHub();
      case 'update':
        return deps.update();
      case 'quit':
        return deps.quit();
    }
  }

  return (act) => {
    carryOut(act)
      .catch((error: unknown) => {
        deps.log.warn('an act of the tray failed', { act: act.kind, error: String(error) });
        const isOurs = isAppError(error);
        void dialog.showMessageBox({
          type: 'error',
          message: isOurs ? error.message : deps.words().failed,
          detail: isOurs ? (error.hint ?? '') : deps.words().failedDetail,
        });
      })
      .finally(deps.done);
  };
}
