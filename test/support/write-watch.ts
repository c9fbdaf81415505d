import { existsSync, watch, type FSWatcher } from 'node:fs';

/**
 * Counts writes to the files of a folder: a hint that another look is worth what it costs, never the proof of
 * anything. A folder that is not there yet is looked for at each question.
 */
export class WriteWatch implements Disposable {
  readonly #folder: string;
  #watcher: FSWatcher | null = null;
  #count = 0;
  #waiting: (() => void)[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  get count(): number {
    if (this.#watcher === null && existsSync(this.#folder)) {
      this.#watcher = watch(this.#folder, { persistent: false }, () => {
        this.#count += 1;
        for (const wake of this.#waiting.splice(0)) wake();
      });
      // A folder that is deleted under it: from then on there is only the longest wait.
      this.#watcher.on('error', () => undefined);
    }
    return this.#count;
  }

  /** Resolves once there were more writes than `count`, at the latest after `mostMs`. */
  async more(count: number, mostMs: number): Promise<void> {
    if (this.count > count) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, mostMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
  }
}
