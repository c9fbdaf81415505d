import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder of its own for one test; `dispose` (or `using`) removes it with everything in it. */
export interface TempFolder extends Disposable {
  /** Absolute, links resolved (macOS keeps its temp folder behind one). */
  readonly path: string;
  /** Absolute path of something below the folder. */
  join(...parts: readonly string[]): string;
  /** Removing twice is allowed. */
  dispose(): void;
}

/** Makes an empty folder below the system's temp folder. */
export function makeTempFolder(name = 'test'): TempFolder {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), `signalbox-${name}-`)));
  const dispose = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return {
    path: folder,
    join: (...parts) => path.join(folder, ...parts),
    dispose,
    [Symbol.dispose]: dispose,
  };
}
