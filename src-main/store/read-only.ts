import { isAppError } from '../../src-shared/errors.ts';
import { Connection } from './connection.ts';
import type { StorePlace } from './sqlite-errors.ts';
import { readStoreImage } from './store-image.ts';

/** What SQLite says where it may not make the files that it needs beside a database in WAL mode. */
const CANNOT_WRITE = /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|PERM)/;

const cannotWrite = (error: unknown): boolean =>
  isAppError(error) && CANNOT_WRITE.test(String(error.data['sqlite'] ?? ''));

/** A connection that changes nothing; the store's content in memory where the disk takes nothing. */
export function connectForReading(options: StorePlace & { readonly busyTimeoutMs: number }): Connection {
  const open = (image?: Buffer): Connection => {
    const connection = new Connection({
      ...options,
      synchronous: 'FULL',
      isReadonly: true,
      ...(image === undefined ? {} : { image }),
    });
    try {
      // Only now does SQLite open what lies beside the file.
      void connection.userVersion;
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!cannotWrite(error)) throw error;
    return open(imageOr(error, options.file));
  }
}

/** @throws the first error when the file cannot even be read */
function imageOr(error: unknown, file: string): Buffer {
  try {
    return readStoreImage(file);
  } catch {
    throw error;
  }
}
