import path from 'node:path';
import type { StorePlace } from './sqlite-errors.ts';

export const STORE_FILE = 'signalbox.sqlite';

export const placeOf = (folder: string, newestBackup: () => string | null): StorePlace => ({
  file: path.join(folder, STORE_FILE),
  newestBackup,
});
