import { existsSync, mkdirSync } from 'node:fs';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Artifacts } from '../core/ports/world.ts';
import { AppError } from '../../src-shared/errors.ts';
import { sha256 } from './sha256.ts';
import { writeFileAtomic } from './write-file.ts';

const HASH = /^[0-9a-f]{64}$/;
/** A temporary file of a process that died lies this long at least, so that a living writer's is never taken. */
const LEFTOVER_MS = 24 * 3600 * 1000;

export interface ArtifactFiles extends Artifacts {
  /** Removes temporary files that a killed writer left. */
  sweep(now: number): Promise<void>;
}

/**
 * Texts in `<folder>/<first two digits>/<hash>`, each only readable for this user.
 *
 * The name is the content's hash: writing twice is the same file, and a file whose content does not match its
 * name (a damaged disk) reads as absent and is replaced by the next write.
 */
export function createArtifactFiles(folder: string): ArtifactFiles {
  const fileOf = (hash: string): string => path.join(folder, hash.slice(0, 2), hash);
  const read = async (hash: string): Promise<string | null> => {
    // The hash may come from a caller outside; nothing but a hash becomes a path.
    if (!HASH.test(hash)) return null;
    try {
      const text = await readFile(fileOf(hash), 'utf8');
      return sha256(text) === hash ? text : null;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
  };
  return {
    read,
    write: async (text) => {
      const hash = sha256(text);
      const file = fileOf(hash);
      if (existsSync(file) && (await read(hash)) !== null) return hash;
      try {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        await writeFileAtomic(file, text);
      } catch (error) {
        if (!isCode(error, 'ENOSPC') && !isCode(error, 'EDQUOT')) throw error;
        throw new AppError('disk-full', 'The disk is full: an artifact could not be written.', {
          hint: 'Free some room, then run `signalbox doctor`.',
          cause: error,
        });
      }
      return hash;
    },
    remove: async (hash) => {
      if (HASH.test(hash)) await rm(fileOf(hash), { force: true });
    },
    sweep: async (now) => {
      if (!existsSync(folder)) return;
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.tmp')) continue;
        const file = path.join(entry.parentPath, entry.name);
        const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: now }));
        if (now - mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
      }
    },
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}
