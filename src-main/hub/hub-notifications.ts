import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { localLink } from '@trpc/client';
import { hubCallsOver } from '../adapters/hub-calls.ts';
import { createDbusNotifier } from '../adapters/notifier/dbus-notifier.ts';
import { isNotified } from '../adapters/notifier/notifier-mark.ts';
import { createNoticeRecordFile } from '../adapters/notifier/record-file.ts';
import { createTextNotifier } from '../adapters/notifier/text-notifier.ts';
import { withFallback } from '../adapters/notifier/with-fallback.ts';
import { sha256 } from '../adapters/sha256.ts';
import { writeFileAtomicSync } from '../adapters/write-file.ts';
import type { Caller } from '../adapters/local-socket/caller.ts';
import type { ApiContext, ApiServices } from '../api/context.ts';
import { appRouter } from '../api/router.ts';
import { createNotifyService } from '../core/notify/notify-service.ts';
import { notifyPreferences } from '../core/notify/preferences.ts';
import { localeOfEnvironment } from '../core/notify/words.ts';
import type { Notifier } from '../core/ports/notifier.ts';
import type { Clock, Disposable } from '../core/ports/world.ts';
import { personName } from './person.ts';

export interface HubNotificationsOptions {
  readonly services: ApiServices;
  contextOf(caller: Caller): ApiContext;
  readonly dataFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly platform?: NodeJS.Platform;
}

/** Shows nothing while the desktop application does. */
const unlessTold = (notifier: Notifier, isTold: () => boolean): Notifier => ({
  ...notifier,
  show: (notice) => (isTold() ? Promise.resolve({ by: null, isConfirmed: false }) : notifier.show(notice)),
});

/**
 * Notifications of a hub without a window: over the session bus, where answers come back, else as text. Quiet
 * while the desktop application is a client of this hub and raises them.
 */
export function startHubNotifications(options: HubNotificationsOptions): Disposable {
  const { dataFolder, env, clock, platform = process.platform } = options;
  const { log } = options.services;
  const address = env['DBUS_SESSION_BUS_ADDRESS'];
  const text = createTextNotifier({ clock, log });
  const backend =
    platform === 'linux'
      ? withFallback(
          [createDbusNotifier({ address, clock, log, desktopEntry: 'dev.signalbox.Signalbox' }), text],
          log,
        )
      : text;
  const calls = hubCallsOver(
    // The link's options depend on the router; any client of ours takes any router.
    localLink({
      router: appRouter,
      createContext: () =>
        Promise.resolve(options.contextOf({ name: personName(), via: 'notification', isAgent: false })),
    }) as never,
  );
  const service = createNotifyService({
    hub: calls,
    notifier: unlessTold(backend, () => isNotified(dataFolder)),
    host: 'hub',
    locale: localeOfEnvironment(env) || Intl.DateTimeFormat().resolvedOptions().locale,
    records: createNoticeRecordFile(path.join(dataFolder, 'notices.json'), writeFileAtomicSync, log),
    clock,
    log,
    hash: sha256,
    newKey: () => randomBytes(16).toString('hex'),
    preferences: async () => notifyPreferences((await calls.query('settings.show', undefined)).preferences),
    // There is no window to open.
    open: () => undefined,
    isShown: () => false,
    onState: () => undefined,
  });
  service.start();
  return service;
}
