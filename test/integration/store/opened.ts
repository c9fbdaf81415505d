import type { OpenStoreOptions, SqliteStores } from '../../../src-main/store/open-store.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import type { TempFolder } from '../../support/temp-folder.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { TestIds } from '../../support/test-ids.ts';

/** A data folder of a test, with every store that was opened in it; all of it goes with `using`. */
export class StoreBench implements Disposable {
  readonly clock = new FakeClock();
  readonly ids = new TestIds();
  private readonly temp: TempFolder = makeTempFolder('store');
  private readonly opened: SqliteStores[] = [];

  get folder(): string {
    return this.temp.join('data');
  }

  get file(): string {
    return this.temp.join('data', 'signalbox.sqlite');
  }

  open(options: Partial<OpenStoreOptions> = {}): SqliteStores {
    const stores = openStore({ folder: this.folder, clock: this.clock, ids: this.ids, ...options });
    this.opened.push(stores);
    return stores;
  }

  [Symbol.dispose](): void {
    for (const stores of this.opened) stores.dispose();
    this.temp.dispose();
  }
}
