import { AppError } from '../../src-shared/errors.ts';
import type { SettingStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';

/** A setting that was never set, or was removed, is null. */
export const createSettingStore = (db: Connection): SettingStore => ({
  get: (key) => {
    const row = db.get('SELECT value_json FROM setting WHERE key = @key', { key });
    return row === null ? null : (JSON.parse(String(row['value_json'])) as unknown);
  },
  set: (key, value) => {
    // Typed as text, but undefined and functions have no JSON.
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new AppError('internal', `The setting ${key} has no JSON.`);
    db.run(
      `INSERT INTO setting (key, value_json) VALUES (@key, @text)
       ON CONFLICT (key) DO UPDATE SET value_json = @text`,
      { key, text },
    );
  },
  remove: (key) => void db.run('DELETE FROM setting WHERE key = @key', { key }),
});
