import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the closing zero included (unix(7), unix(4)). */
const LONGEST = process.platform === 'darwin' ? 103 : 107;
/** Of the hub's socket. */
const HUB = 'hub';

export const shortHash = (folder: string): string =>
  createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 12);

export interface SocketPlace {
  readonly path: string;
  /** Removes the socket and the folder that was made for it. */
  dispose(): void;
}

/** Made for this user alone, or found as such; false for a folder or link that somebody else put there. */
function makePrivateFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700, recursive: false });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
  if ((found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
  return true;
}

/**
 * A place for the socket of a data folder: under XDG_RUNTIME_DIR, else the temp folder, in a folder of its own
 * that only this user may enter. A name that is taken by somebody else gives way to a random one; clients read the
 * path in `hub.json`. Only the holder of the hub's lock may call it, since what is left of a dead hub is removed.
 *
 * @param name of another socket beside the hub's, which only its caller uses, e.g. `web-<pid>`
 */
export function makeSocketPlace(dataFolder: string, env: NodeJS.ProcessEnv, name: string = HUB): SocketPlace {
  const hash = shortHash(dataFolder);
  if (process.platform === 'win32') {
    const pipe = name === HUB ? `signalbox-${hash}-${process.pid}` : `signalbox-${hash}-${name}`;
    return { path: `\\\\.\\pipe\\${pipe}`, dispose: () => undefined };
  }
  const file = `${name}.sock`;
  const uid = process.getuid?.() ?? 0;
  const candidates = [env['XDG_RUNTIME_DIR'], os.tmpdir(), '/tmp']
    .filter((base): base is string => base !== undefined && path.isAbsolute(base))
    .map((base) => path.join(base, `signalbox-${uid}-${hash}`))
    .filter((folder) => Buffer.byteLength(path.join(folder, file)) <= LONGEST);
  const folder =
    candidates.find((candidate) => makePrivateFolder(candidate)) ?? mkdtempSync('/tmp/signalbox-');
  const socket = path.join(folder, file);
  rmSync(socket, { force: true });
  return {
    path: socket,
    dispose: () => {
      rmSync(socket, { force: true });
      try {
        rmdirSync(folder);
      } catch {
        // Not empty or gone: nothing of ours is left in it.
      }
    },
  };
}
