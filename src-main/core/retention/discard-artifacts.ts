import type { CoreDeps } from '../ports/deps.ts';
import type { Stores } from '../ports/stores.ts';

/** Setting with the hashes of artifacts whose last reference is gone but whose file may still be there. */
const PENDING = 'retention.pending-artifacts';

const pendingOf = (stores: Pick<Stores, 'settings'>): readonly string[] => {
  const stored = stores.settings.get(PENDING);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
};

/**
 * Remembers artifacts that nothing refers to any more. Called in the transaction that took the last reference,
 * so that a process which dies before the files are gone leaves a list and not a text that nobody knows of.
 */
export function markUnused(stores: Pick<Stores, 'settings'>, hashes: readonly string[]): void {
  if (hashes.length === 0) return;
  stores.settings.set(PENDING, [...new Set([...pendingOf(stores), ...hashes])]);
}

/** Removes the files of remembered artifacts; one that fails stays on the list for the next time. */
export async function discardUnused(deps: Pick<CoreDeps, 'stores' | 'artifacts' | 'log'>): Promise<void> {
  const removed = new Set<string>();
  for (const hash of pendingOf(deps.stores)) {
    try {
      await deps.artifacts.remove(hash);
      removed.add(hash);
    } catch (error) {
      deps.log.warn('An artifact could not be removed; it is tried again.', { hash, error });
    }
  }
  if (removed.size === 0) return;
  deps.stores.transaction(() => {
    const left = pendingOf(deps.stores).filter((hash) => !removed.has(hash));
    if (left.length === 0) deps.stores.settings.remove(PENDING);
    else deps.stores.settings.set(PENDING, left);
  });
}
