import { distance } from 'fastest-levenshtein';

const folded = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

/**
 * The name that was probably meant: one that begins with what was typed, or differs from it in few letters. Null when
 * none does: a guess that is far off helps nobody.
 */
export function nearName(typed: string, known: readonly string[]): string | null {
  const wanted = folded(typed);
  if (wanted === '') return null;
  const scored = known
    .map((name) => ({ name, far: distance(wanted, folded(name)) }))
    .sort((one, other) => one.far - other.far);
  const [best] = scored;
  if (best === undefined) return null;
  const allowed = Math.max(1, Math.ceil(Math.min(wanted.length, folded(best.name).length) / 3));
  if (best.far <= allowed && best.far < wanted.length) return best.name;
  return wanted.length >= 2 ? (known.find((name) => folded(name).startsWith(wanted)) ?? null) : null;
}
