/** Words and numbers alone: a model that asks the same again rarely keeps case, spacing and punctuation. */
const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/**
 * Whether two questions ask the same by their words. Asked again after its answer was delivered, a question shows that
 * the conversation was lost (10-relay, Stop condition of a spike).
 */
export function isSameQuestion(a: string, b: string): boolean {
  const words = normalised(a);
  return words === normalised(b) && (words !== '' || a.trim() === b.trim());
}
