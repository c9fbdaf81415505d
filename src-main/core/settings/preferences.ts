import {
  DEFAULT_PREFERENCES,
  PREFERENCE_NAMES,
  Preferences,
  type PreferenceName,
} from '../../../src-shared/model/preferences.ts';
import type { ChangeFeed } from '../ports/world.ts';
import type { Stores } from '../ports/stores.ts';

/** Settings row: the preferences that a person has set, and no others. */
const KEY = 'preferences';

type Stored = Partial<Preferences>;

/** One that cannot be read any more (an older or a newer version wrote it) counts as not set. */
function storedPreferences(stores: Pick<Stores, 'settings'>): Stored {
  const row = stores.settings.get(KEY);
  if (row === null || typeof row !== 'object') return {};
  const known = Object.entries(row).filter(([name, value]) => {
    const schema = (Preferences.shape as Record<string, { safeParse(value: unknown): { success: boolean } }>)[
      name
    ];
    return schema?.safeParse(value).success === true;
  });
  // Each was checked against the schema of its name.
  return Object.fromEntries(known);
}

export const readPreferences = (stores: Pick<Stores, 'settings'>): Preferences => ({
  ...DEFAULT_PREFERENCES,
  ...storedPreferences(stores),
});

/** Whether a person has set it; a value equal to the default counts as set. */
export function setByPerson(stores: Pick<Stores, 'settings'>): ReadonlySet<PreferenceName> {
  const stored = storedPreferences(stores);
  return new Set(PREFERENCE_NAMES.filter((name) => stored[name] !== undefined));
}

/** @param clear those that go back to their default; they win over `change` */
export function changePreferences(
  deps: {
    readonly stores: Pick<Stores, 'settings' | 'transaction'>;
    readonly feed: Pick<ChangeFeed, 'hubChanged'>;
  },
  change: Stored,
  clear: readonly string[],
): void {
  const { stores } = deps;
  stores.transaction(() => {
    const next = Object.entries({ ...storedPreferences(stores), ...change }).filter(
      ([name, value]) => value !== undefined && !clear.includes(name),
    );
    if (next.length === 0) stores.settings.remove(KEY);
    else stores.settings.set(KEY, Object.fromEntries(next));
  });
  deps.feed.hubChanged();
}
