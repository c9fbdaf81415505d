import type { Finder, Place } from './place.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no space between words: there a name is looked for anywhere. */
const NO_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
/** Between two words of one name may stand a little: `Anna-Maria`, `anna.maria`, `Maria, Anna` reads otherwise. */
const GAP_MAX = 3;

/** Small and large letters, and composed and decomposed accents, are one. */
const fold = (word: string): string =>
  /^[\x20-\x7e]*$/.test(word)
    ? word.toLowerCase()
    : word.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

interface Word extends Place {
  readonly folded: string;
}

function* words(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    yield { index: match.index, length: match[0].length, folded: fold(match[0]) };
  }
}

function* literals(text: string, name: string): Generator<Place> {
  for (const form of new Set([name, name.normalize('NFC'), name.normalize('NFD')])) {
    for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
      yield { index: at, length: form.length };
    }
  }
}

/** A name of one word is not found inside an identifier (`ram_usage`); of several words it may be one. */
const isInIdentifier = (text: string, place: Place): boolean =>
  text.charAt(place.index - 1) === '_' || text.charAt(place.index + place.length) === '_';

/**
 * Names that must not occur: whole words, whatever their case, also over a line break.
 *
 * @param names as the project lists them; a blank one matches nothing
 */
export function denyNameFinder(names: readonly string[]): Finder {
  const byFirstWord = new Map<string, (readonly string[])[]>();
  const anywhere: string[] = [];
  for (const name of names) {
    const trimmed = name.trim();
    if (trimmed === '') continue;
    const parts = [...words(trimmed)].map((word) => word.folded);
    const [first] = parts;
    if (first === undefined || NO_SPACES.test(trimmed)) anywhere.push(trimmed);
    else byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), parts]);
  }
  return function* (text) {
    for (const name of anywhere) yield* literals(text, name);
    if (byFirstWord.size === 0) return;
    const all = [...words(text)];
    for (const [position, word] of all.entries()) {
      for (const parts of byFirstWord.get(word.folded) ?? []) {
        if (!parts.every((part, at) => all[position + at]?.folded === part)) continue;
        const found = all.slice(position, position + parts.length);
        const last = found.at(-1);
        if (last === undefined || !found.every((next, at) => at === 0 || isNear(found[at - 1], next)))
          continue;
        const place = { index: word.index, length: last.index + last.length - word.index };
        if (parts.length > 1 || !isInIdentifier(text, place)) yield place;
      }
    }
  };
}

const isNear = (before: Word | undefined, word: Word): boolean =>
  before !== undefined && word.index - (before.index + before.length) <= GAP_MAX;
