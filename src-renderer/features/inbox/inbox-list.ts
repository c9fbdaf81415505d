import type { ItemView } from '../../../src-shared/api/item.ts';
import type { ItemKind } from '../../../src-shared/model/item.ts';

/** What the list is narrowed to; null for everything. */
export interface InboxFilter {
  readonly kind: ItemKind | null;
  readonly project: string | null;
}

export const KINDS: readonly ItemKind[] = ['specify', 'approve', 'gate', 'permission', 'review', 'manual'];

export function filterFrom(search: string): InboxFilter {
  const given = new URLSearchParams(search);
  const kind = KINDS.find((each) => each === given.get('kind')) ?? null;
  return { kind, project: given.get('project') };
}

/** `/inbox/52?project=…`. The question mark stays, since without one the address keeps what stood after it. */
export function inboxPath(number: number | null, filter: InboxFilter): string {
  const search = new URLSearchParams();
  if (filter.kind !== null) search.set('kind', filter.kind);
  if (filter.project !== null) search.set('project', filter.project);
  return `/inbox${number === null ? '' : `/${number}`}?${search.toString()}`;
}

export interface InboxGroups {
  readonly waiting: readonly ItemView[];
  readonly answered: readonly ItemView[];
  readonly killed: readonly ItemView[];
}

/** A permission holds a turn and comes first; then whoever waits longest. */
const byUrgency = (a: ItemView, b: ItemView): number =>
  Number(b.kind === 'permission') - Number(a.kind === 'permission') ||
  Date.parse(a.raisedAt) - Date.parse(b.raisedAt) ||
  a.number - b.number;

const newestFirst = (a: ItemView, b: ItemView): number =>
  Date.parse(b.respondedAt ?? b.raisedAt) - Date.parse(a.respondedAt ?? a.raisedAt) || b.number - a.number;

/** Seen by the agent, or nothing of it goes to one: only the look back over the day shows it. */
const isOver = (item: ItemView): boolean => item.delivery === 'seen' || item.delivery === 'none';

/**
 * @param killedSince when the kill switch was engaged; null when it is not
 */
export function grouped(
  items: readonly ItemView[],
  filter: InboxFilter,
  killedSince: string | null,
): InboxGroups {
  const shown = items.filter(
    (item) =>
      (filter.kind === null || item.kind === filter.kind) &&
      (filter.project === null || item.project === filter.project),
  );
  const wasKilled = (item: ItemView): boolean =>
    killedSince !== null &&
    item.state === 'expired' &&
    Date.parse(item.respondedAt ?? item.raisedAt) >= Date.parse(killedSince);
  const waiting = shown.filter((item) => item.state === 'open').sort(byUrgency);
  const closed = shown.filter((item) => item.state !== 'open').sort(newestFirst);
  const answered = closed.filter((item) => !wasKilled(item));
  return {
    waiting,
    // With nothing to do the day is looked back at; otherwise only what is still on its way is of interest.
    answered: waiting.length === 0 ? answered : answered.filter((item) => !isOver(item)),
    killed: closed.filter(wasKilled),
  };
}

/** The item that comes after one that has just been answered: the next in the list, else the one before it. */
export function nextAfter(numbers: readonly number[], answered: number): number | null {
  const at = numbers.indexOf(answered);
  const rest = numbers.filter((number) => number !== answered);
  if (at === -1) return rest[0] ?? null;
  return rest[Math.min(at, rest.length - 1)] ?? null;
}

/** One step in the list; the ends hold. From an item that is not in it: the first. */
export function stepFrom(numbers: readonly number[], from: number | null, by: 1 | -1): number | null {
  const at = from === null ? -1 : numbers.indexOf(from);
  if (at === -1) return numbers[0] ?? null;
  return numbers[Math.min(numbers.length - 1, Math.max(0, at + by))] ?? null;
}
