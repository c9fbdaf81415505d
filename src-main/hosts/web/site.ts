import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface SiteFile {
  readonly body: Buffer;
  readonly type: string;
  /** Value of `Cache-Control`. */
  readonly caching: string;
}

/** The built window. */
export interface Site {
  /** The file at a path of the URL; null when there is none. */
  find(pathname: string): SiteFile | null;
  /** False when the window was not built. */
  readonly isBuilt: boolean;
}

/** Whatever a build of the window holds; something else is sent as plain bytes. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const PAGE = '/index.html';
/** The build writes the content's hash into the names of these. */
const HASHED = '/assets/';

const cachingOf = (pathname: string): string => {
  if (pathname === PAGE) return 'no-store';
  return pathname.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache';
};

function load(folder: string): ReadonlyMap<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const extension = path.extname(entry.name);
    if (!entry.isFile() || entry.name.startsWith('.') || extension === '.map') continue;
    const file = path.join(entry.parentPath, entry.name);
    const pathname = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    files.set(pathname, {
      body: readFileSync(file),
      type: TYPES[extension] ?? 'application/octet-stream',
      caching: cachingOf(pathname),
    });
  }
  return files;
}

/** Changes with each build, and while one is written; null without one. */
function stampOf(folder: string): string | null {
  try {
    const parts = [PAGE, HASHED].map((name) => statSync(path.join(folder, name)));
    return parts.map(({ ino, mtimeMs }) => `${ino}-${mtimeMs}`).join(' ');
  } catch {
    return null;
  }
}

/**
 * The built window, read whole (a few files) and again when a build has replaced it. What is not in the folder has no
 * path here, so that no path of a request reaches the disk; and a file that goes while it is sent ends nothing, which
 * a library that streams from the disk (`sirv`) leaves to the process.
 */
export function createSite(folder: string): Site {
  let stamp: string | null = null;
  let files: ReadonlyMap<string, SiteFile> = new Map();
  const look = (): void => {
    const found = stampOf(folder);
    // Until the next build is there, the last one is what there is.
    if (found === null || found === stamp) return;
    try {
      files = load(folder);
      stamp = found;
    } catch {
      // A build was swapped in between: the next request looks again.
      stamp = null;
    }
  };
  return {
    get isBuilt() {
      look();
      return files.has(PAGE);
    },
    find: (pathname) => {
      const name = pathname === '/' ? PAGE : pathname;
      if (name === PAGE || !files.has(name)) look();
      return files.get(name) ?? null;
    },
  };
}
