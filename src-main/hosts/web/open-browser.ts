import { rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { seconds } from '../../../src-shared/time.ts';
import { writeFileAtomicSync } from '../../adapters/write-file.ts';
import type { Clock, Disposable } from '../../core/ports/world.ts';

/** By then the browser has read it. */
const GOES_AFTER = seconds(60);

/** Shows a file or address with the person's browser, or with whatever opens such files. */
export type ShowFile = (file: string) => Promise<unknown>;

/** Not in what the file manager opens pages with (an editor, perhaps), but in the browser that opens links. */
export const showWithSystem: ShowFile = async (file) => {
  const { default: open, apps } = await import('open');
  const address = pathToFileURL(file).href;
  try {
    return await open(address, { app: { name: apps.browser } });
  } catch {
    // It has no name for this browser: the system decides.
    return open(address);
  }
};

export interface OpenBrowserOptions {
  /** A link with a token of its own. */
  readonly url: string;
  /** Only this user may look into it. */
  readonly folder: string;
  readonly clock: Clock;
  readonly show: ShowFile;
}

const pageTo = (url: string): string =>
  `<!doctype html>\n<meta charset="utf-8">\n<meta name="referrer" content="no-referrer">\n` +
  `<meta http-equiv="refresh" content="0; url=${url}">\n<title>Signalbox</title>\n`;

/**
 * Opens the link in the browser by way of a page in the data folder that leads to it: a command line, which others on
 * the machine can read, never holds a token.
 *
 * @returns what removes the page; it goes by itself after a minute
 * @throws when nothing here can show a page
 */
export async function openInBrowser({ url, folder, clock, show }: OpenBrowserOptions): Promise<Disposable> {
  const file = path.join(folder, 'open-window.html');
  const remove = (): void => rmSync(file, { force: true });
  writeFileAtomicSync(file, pageTo(url));
  try {
    await show(file);
  } catch (error) {
    remove();
    throw error;
  }
  const timer = clock.after(GOES_AFTER, remove);
  return {
    dispose: () => {
      timer.dispose();
      remove();
    },
  };
}
