/**
 * Lenient readers for what the CLI prints: its format is not ours, has many keys and grows (PROTOCOL.md,
 * surprise 17). A value of another type counts as absent, never as an error.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): JsonObject | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;

export const asArray = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

export const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A finite number, else null (JSON knows `1e999`). */
export const asNumber = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** A count of tokens or the like: whole, not negative; anything else is 0. */
export const asCount = (value: unknown): number => {
  const number = asNumber(value);
  return number === null || number < 0 || number > Number.MAX_SAFE_INTEGER ? 0 : Math.round(number);
};

/** The words of a list, everything else left out. */
export const asTexts = (value: unknown): readonly string[] =>
  asArray(value).filter((entry): entry is string => typeof entry === 'string');

/** JSON text of a parsed value. Nesting too deep for the stack, which a hostile line may have, gives a note. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '"(nested too deeply to be shown)"';
  }
}
