import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { ServeView } from '../../../src-shared/api/web.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { DataFolder } from '../../adapters/data-folder.ts';
import { OWN_FOLDER } from '../../adapters/environment.ts';
import { hasDisplay } from '../../adapters/has-display.ts';
import type { Caller } from '../../adapters/local-socket/caller.ts';
import type { ApiServices } from '../../api/context.ts';
import type { Clock, Disposable, Log } from '../../core/ports/world.ts';
import { logOf } from '../../hub/build-services.ts';
import { watchSignals } from '../../hub/hub-signals.ts';
import { openHub, type HubAccess, type HubState } from '../../hub/open-hub.ts';
import type { HubEnd } from '../../hub/own-hub.ts';
import { createAccess } from './access.ts';
import { startWebServer, type WebServer } from './http-server.ts';
import { offerLinks, type LinkSocket } from './link.ts';
import { openInBrowser, showWithSystem } from './open-browser.ts';
import { LOOPBACK } from './request-checks.ts';
import { createSite } from './site.ts';
import { CLOSE } from './window-socket.ts';

/** The built window of this package. */
const SITE_FOLDER = path.join(OWN_FOLDER, 'out', 'renderer');

export { askForLink } from './link.ts';

export interface ServeOptions {
  readonly folder: DataFolder;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Who acts in the windows. */
  readonly person: Caller;
  /** 0 takes a free one. */
  readonly port: number;
  readonly openBrowser: boolean;
  readonly attachOnly: boolean;
  readonly onCrash: (handler: (error: unknown) => void) => void;
  /** Called once, when it listens and has a hub. */
  readonly listening: (view: ServeView) => void;
  /** One line for the person. */
  readonly note: (text: string) => void;
  /** Tells on the terminal what happens in the hub, from the moment on that this process is it. */
  readonly tellFacts?: (services: Pick<ApiServices, 'stores' | 'feed'>) => Disposable;
}

/**
 * Refuses every address but this machine's own: elsewhere the window would need TLS and a password, which there are
 * not.
 *
 * @throws AppError 'bind-refused'
 */
export function checkBind(address: string | undefined): void {
  if (address === undefined || address === LOOPBACK) return;
  throw new AppError('bind-refused', `The window is served at ${LOOPBACK} only, not at ${address}.`, {
    hint: 'From another machine, forward a port over ssh: ssh -L 4000:127.0.0.1:PORT',
  });
}

/** What the person is told when the hub behind the window is another one. */
function sentenceOf(state: HubState, before: HubState | null, attachOnly: boolean): string {
  switch (state.kind) {
    case 'own':
      return before === null
        ? `The hub runs here (pid ${state.pid}).`
        : `This process (pid ${state.pid}) is the hub now.`;
    case 'attached': {
      const runs = `${before === null ? 'A hub runs already' : 'A hub runs again'} (pid ${state.pid}, ${state.host})`;
      return attachOnly
        ? `${runs}; this is a client of it.`
        : `${runs}; this is a client of it, and becomes the hub when that one ends.`;
    }
    case 'none':
      return attachOnly
        ? 'The hub has ended. The window works again when another one runs: signalbox hub'
        : 'The hub has ended. This process takes its place.';
  }
}

/** What is open, in the order in which it was opened. */
interface Parts {
  web: WebServer | null;
  hub: HubAccess | null;
  links: LinkSocket | null;
  page: Disposable | null;
  facts: Disposable | null;
}

/** Serves the window until a signal, or until its own hub is told to end or breaks. */
export async function serve(options: ServeOptions): Promise<void> {
  const { clock, note } = options;
  const parts: Parts = { web: null, hub: null, links: null, page: null, facts: null };
  const asked = Promise.withResolvers<null>();
  const signals = watchSignals(clock, {
    stop: () => {
      note(
        parts.hub?.state.kind === 'own'
          ? 'Stopping: turns are interrupted, sessions stay resumable. Press Ctrl+C again to stop at once.'
          : 'Stopping.',
      );
      asked.resolve(null);
    },
    endAtOnce: (exitCode) => {
      parts.hub?.leave();
      parts.links?.leave();
      parts.page?.dispose();
      process.exit(exitCode);
    },
  });
  try {
    const hub = await open(options, parts);
    const end: HubEnd | null = await Promise.race([asked.promise, hub.ended]);
    if (end?.by === 'failure') throw end.error;
  } finally {
    parts.facts?.dispose();
    parts.page?.dispose();
    await parts.links?.close();
    await parts.hub?.dispose();
    await parts.web?.close();
    signals.dispose();
  }
}

/** Opens the port first: a hub that started for a port which is taken would have started agents for nothing. */
async function open(options: ServeOptions, parts: Parts): Promise<HubAccess> {
  const { folder, env, clock, person, attachOnly, onCrash, note } = options;
  const log: Log = logOf(folder, clock);
  const access = createAccess(clock, () => randomBytes(32).toString('base64url'));
  const site = createSite(SITE_FOLDER);
  const web = await startWebServer({
    port: options.port,
    access,
    site,
    clock,
    log,
    admit: (socket) => {
      if (parts.hub?.accept(socket, person) !== true) socket.close(CLOSE.noHub, 'no hub runs');
    },
  });
  parts.web = web;

  let before: HubState | null = null;
  const hub = await openHub({
    folder,
    env,
    clock,
    host: 'web',
    attachOnly,
    onCrash,
    changed: (state) => {
      note(sentenceOf(state, before, attachOnly));
      before = state;
    },
    owned: ({ services, ledgerProblem }) => {
      parts.facts = options.tellFacts?.(services) ?? null;
      void ledgerProblem.then((problem) => {
        if (problem !== null) note(problem);
      });
    },
  });
  parts.hub = hub;

  const { pid } = process;
  const newLink = (): string => `${web.origin}/#token=${access.issueToken()}`;
  parts.links = await offerLinks({
    folder,
    pid,
    port: web.port,
    makeLink: () => ({ url: newLink(), pid }),
    log,
  });
  if (!site.isBuilt) note('The window is not built. In the checkout: npm run build');
  const { kind } = hub.state;
  options.listening({
    url: newLink(),
    port: web.port,
    pid,
    hub: kind === 'own' ? 'own' : 'attached',
  });
  if (options.openBrowser && !hasDisplay(process.platform, env)) {
    note('There is no display here: open the link in a browser of this machine.');
  } else if (options.openBrowser) {
    try {
      parts.page = await openInBrowser({ url: newLink(), folder: folder.data, clock, show: showWithSystem });
    } catch (error) {
      log.info('no browser could be opened', { error: String(error) });
      note('No browser could be opened here: open the link yourself.');
    }
  }
  return hub;
}
