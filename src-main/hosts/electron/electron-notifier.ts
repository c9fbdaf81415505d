import { Notification, type NotificationAction } from 'electron';
import {
  NotShownError,
  type Notice,
  type NoticeAct,
  type Notifier,
  type NotifierAbilities,
} from '../../core/ports/notifier.ts';
import type { Clock } from '../../core/ports/world.ts';
import { seconds } from '../../../src-shared/time.ts';

/** Kept so that their events arrive; the oldest go first. */
const MOST_KEPT = 100;
/** A service that says neither that it has shown nor that it has failed has shown. */
const PATIENCE = seconds(2);

/** How macOS says that the person, or the missing signature of the bundle, does not let us notify (electron.md, 3). */
const NOT_ALLOWED = /UNErrorDomain.*\b1\b|not allowed|not authori[sz]ed|not signed|permission/i;

/**
 * Electron's own notifications: macOS and Windows deliver clicks, buttons and replies (electron.md, 3), Linux clicks
 * alone. macOS needs a validly signed bundle, else `failed` comes.
 */
export function createElectronNotifier(platform: NodeJS.Platform, clock: Clock): Notifier {
  const listeners = new Set<(act: NoticeAct) => void>();
  const kept = new Map<string, { readonly notification: Notification; readonly notice: Notice }>();
  /** Windows tells of an activation twice, by the object and by the application. */
  const told = new Set<string>();
  const isFull = platform === 'darwin' || platform === 'win32';
  const abilities: NotifierAbilities = { click: true, buttons: isFull, reply: isFull, withdraw: true };

  function tell(act: NoticeAct): void {
    if (act.kind !== 'closed') {
      if (told.has(act.key)) return;
      told.add(act.key);
      // The second report of the same act comes at once; a later act on it is one of its own.
      clock.after(seconds(1), () => told.delete(act.key));
    }
    for (const listener of [...listeners]) listener(act);
  }

  function activated(key: string, details: { type: string; actionIndex?: number; reply?: string }): void {
    const button = kept.get(key)?.notice.buttons[details.actionIndex ?? -1];
    if (details.type === 'reply') tell({ kind: 'reply', key, text: details.reply ?? '' });
    else if (details.type === 'action' && button !== undefined) {
      tell({ kind: 'button', key, button: button.id });
    } else tell({ kind: 'click', key });
  }

  if (platform === 'win32') {
    // Also after a restart, for what still lies in the Action Center: its key is in the arguments.
    Notification.handleActivation((details) => {
      const [key] = /[0-9a-f]{32}/.exec(details.arguments) ?? [];
      activated(key ?? '', details);
    });
  }

  const actionsOf = (notice: Notice): NotificationAction[] =>
    notice.buttons.map((button) => ({ type: 'button', text: button.label }));

  return {
    abilities: () => Promise.resolve(abilities),
    show: (notice) =>
      new Promise((resolve, reject) => {
        if (!Notification.isSupported()) {
          reject(new NotShownError('no-daemon', 'This system has no notifications.'));
          return;
        }
        const { key } = notice;
        const notification = new Notification({
          id: key,
          title: notice.title,
          body: notice.body,
          silent: notice.isSilent,
          urgency: notice.urgency,
          ...(isFull ? { actions: actionsOf(notice) } : {}),
          ...(isFull && notice.reply !== null
            ? { hasReply: true, replyPlaceholder: notice.reply.placeholder }
            : {}),
        });
        kept.set(key, { notification, notice });
        for (const old of kept.keys()) {
          if (kept.size <= MOST_KEPT) break;
          kept.delete(old);
        }
        const timer = clock.after(PATIENCE, () => resolve({ by: 'electron', isConfirmed: false }));
        const settle = (done: () => void): void => {
          timer.dispose();
          done();
        };
        notification.on('show', () => settle(() => resolve({ by: 'electron', isConfirmed: true })));
        notification.on('failed', (_event, error) => {
          kept.delete(key);
          settle(() => reject(new NotShownError(NOT_ALLOWED.test(error) ? 'not-allowed' : 'failed', error)));
        });
        notification.on('click', () => activated(key, { type: 'click' }));
        notification.on('action', ({ actionIndex }) => activated(key, { type: 'action', actionIndex }));
        notification.on('reply', ({ reply }) => activated(key, { type: 'reply', reply }));
        // On macOS it only left the screen: it lies in the list and can still be answered.
        notification.on('close', () => {
          if (platform !== 'darwin') tell({ kind: 'closed', key });
        });
        notification.show();
      }),
    withdraw: (key) => {
      kept.get(key)?.notification.close();
      kept.delete(key);
      if (platform === 'darwin') Notification.remove(key);
      return Promise.resolve();
    },
    onAct: (listener) => {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    dispose: () => {
      listeners.clear();
      kept.clear();
    },
  };
}
