/**
 * Which task stands behind one that is moved from one place of a queue to another.
 *
 * @returns null when it becomes the last
 */
export function idBefore(ids: readonly string[], from: number, to: number): string | null {
  const others = ids.filter((_, index) => index !== from);
  return others[to] ?? null;
}
