import { readFileSync } from 'node:fs';

/*
 * SQLite reads a database in WAL mode only where it may make the two files beside it. Where it may not (a full or a
 * read-only disk), the database is put together in memory instead, as a checkpoint would leave it.
 * Formats: https://www.sqlite.org/fileformat2.html, sections 1.3.3 and 4, read 2026-03.
 */

const WAL_HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit tells the byte order of the checksums. */
const WAL_MAGIC = 0x377f0682;
/** Offsets in the database's header; 2 means WAL, 1 a journal that is rolled back. */
const WRITE_VERSION = 18;
const READ_VERSION = 19;

/** Goes on from the sums so far, over pairs of 32-bit words. */
function addToSums(sums: Uint32Array, bytes: DataView, isLittleEndian: boolean): void {
  let [first = 0, second = 0] = sums;
  for (let at = 0; at + 8 <= bytes.byteLength; at += 8) {
    first = (first + bytes.getUint32(at, isLittleEndian) + second) >>> 0;
    second = (second + bytes.getUint32(at + 4, isLittleEndian) + first) >>> 0;
  }
  sums[0] = first;
  sums[1] = second;
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Committed {
  readonly pages: ReadonlyMap<number, Buffer>;
  readonly pageSize: number;
  /** Length of the database after the last commit, in pages. */
  readonly pageCount: number;
}

/** What whole transactions of a write-ahead log hold; null when there is none. What follows a torn frame is not. */
export function committedPages(log: Buffer): Committed | null {
  if (log.length < WAL_HEADER) return null;
  const magic = log.readUInt32BE(0);
  if (magic >>> 1 !== WAL_MAGIC >>> 1) return null;
  const isLittleEndian = (magic & 1) === 0;
  const pageSize = log.readUInt32BE(8);
  if (pageSize < 512) return null;
  const sums = new Uint32Array(2);
  const isSum = (at: number): boolean =>
    log.readUInt32BE(at) === sums[0] && log.readUInt32BE(at + 4) === sums[1];
  addToSums(sums, viewOf(log.subarray(0, 24)), isLittleEndian);
  if (!isSum(24)) return null;

  const pages = new Map<number, Buffer>();
  let pageCount = 0;
  let pending: (readonly [number, Buffer])[] = [];
  for (let at = WAL_HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    const page = log.subarray(at + FRAME_HEADER, at + FRAME_HEADER + pageSize);
    // Frames of an earlier round of the log carry other salts.
    if (!log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) break;
    addToSums(sums, viewOf(log.subarray(at, at + 8)), isLittleEndian);
    addToSums(sums, viewOf(page), isLittleEndian);
    if (!isSum(at + 16)) break;
    pending.push([log.readUInt32BE(at), page]);
    const countAfterCommit = log.readUInt32BE(at + 4);
    if (countAfterCommit === 0) continue;
    for (const [number, content] of pending) pages.set(number, content);
    pending = [];
    pageCount = countAfterCommit;
  }
  return pageCount === 0 ? null : { pages, pageSize, pageCount };
}

function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return Buffer.alloc(0);
  }
}

/** The database of a file and of the write-ahead log beside it, as one that lives in memory. Reads only. */
export function readStoreImage(file: string): Buffer {
  const stored = readFileSync(file);
  const committed = committedPages(readIfThere(`${file}-wal`));
  let image = stored;
  if (committed !== null) {
    const { pages, pageSize, pageCount } = committed;
    image = Buffer.alloc(pageCount * pageSize);
    stored.copy(image, 0, 0, Math.min(stored.length, image.length));
    for (const [number, page] of pages) {
      if (number >= 1 && number <= pageCount) page.copy(image, (number - 1) * pageSize);
    }
  }
  if (image.length > READ_VERSION && image[READ_VERSION] === 2) {
    image[WRITE_VERSION] = 1;
    image[READ_VERSION] = 1;
  }
  return image;
}
