import { rmSync } from 'node:fs';
import type { LinkView } from '../../../src-shared/api/web.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { DataFolder } from '../../adapters/data-folder.ts';
import type { Caller } from '../../adapters/local-socket/caller.ts';
import { listensAt } from '../../adapters/local-socket/listens-at.ts';
import { listenLocally } from '../../adapters/local-socket/server.ts';
import { makeSocketPlace } from '../../adapters/local-socket/socket-path.ts';
import type { Log } from '../../core/ports/world.ts';
import { linkRouter, type LinkRouter } from './link-router.ts';
import { readWebRecords, removeWebRecord, writeWebRecord, type WebRecord } from './web-record.ts';

export interface LinkSocket {
  close(): Promise<void>;
  /** For a process that ends at once. */
  leave(): void;
}

/** The web host that started last of those that run; what killed ones have left is removed. */
async function findWebHost(folder: DataFolder): Promise<WebRecord | null> {
  for (const record of readWebRecords(folder.data)) {
    if (await listensAt(record.socket)) return record;
    removeWebRecord(folder.data, record.pid);
    if (process.platform !== 'win32') rmSync(record.socket, { force: true });
  }
  return null;
}

/** Lets this user's commands ask the web host of this process for a link. */
export async function offerLinks(options: {
  readonly folder: DataFolder;
  readonly pid: number;
  readonly port: number;
  readonly makeLink: () => LinkView;
  readonly log: Log;
}): Promise<LinkSocket> {
  const { folder, pid, port, makeLink, log } = options;
  const place = makeSocketPlace(folder.data, process.env, `web-${pid}`);
  const leave = (): void => {
    removeWebRecord(folder.data, pid);
    place.dispose();
  };
  try {
    const server = await listenLocally<LinkRouter>({
      path: place.path,
      router: linkRouter,
      contextOf: (caller) => ({ caller, makeLink }),
      log,
    });
    await writeWebRecord(folder.data, { pid, port, socket: place.path });
    return {
      leave,
      close: async () => {
        await server.close();
        leave();
      },
    };
  } catch (error) {
    leave();
    throw error;
  }
}

/**
 * A fresh one-time link of the web host that runs.
 *
 * @throws AppError 'web-not-running', or an error of the call
 */
export async function askForLink(folder: DataFolder, caller: Caller): Promise<LinkView> {
  const record = await findWebHost(folder);
  if (record === null) {
    throw new AppError('web-not-running', 'No web host runs for this data folder.', {
      hint: 'Start it: signalbox serve',
    });
  }
  const { connectLocally } = await import('../../adapters/local-socket/client.ts');
  const connection = await connectLocally<LinkRouter>({ path: record.socket, caller });
  try {
    return await connection.client.link.mutate();
  } finally {
    await connection.close();
  }
}
