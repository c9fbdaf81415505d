import { RE2JS } from 're2js';
import { AppError } from '../../../src-shared/errors.ts';
import type { Finder, Place } from './place.ts';

/**
 * Longest piece of a line that a project's pattern sees at once, and how much two neighbouring pieces share: in
 * longer lines a value of more than OVERLAP characters may be missed.
 */
const PIECE = 4096;
const OVERLAP = 512;
/** Longest source of a pattern. */
const SOURCE_MAX = 1000;

const compiled = new Map<string, RE2JS>();

function compile(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const pattern = RE2JS.compile(source);
  // Patterns are few; a store that changes them for ever must not grow this for ever.
  if (compiled.size >= 256) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

/**
 * Checks a project's own pattern. The engine is RE2's: its time is linear in the text whatever the pattern, so
 * no pattern can hang the hub; in return there is no look-around and no back-reference.
 *
 * @param source RE2 syntax (https://github.com/google/re2/wiki/Syntax)
 * @returns null when it can be used, else what is wrong with it
 */
export function patternProblem(source: string): string | null {
  if (source.length > SOURCE_MAX) return `is longer than ${SOURCE_MAX} characters`;
  try {
    if (compile(source).matcher('').matches()) return 'matches the empty text';
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : 'cannot be read';
  }
}

interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
}

/** Whole lines, long ones in overlapping pieces. */
function* pieces(text: string): Generator<Piece> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    for (let offset = start; offset < end; offset += PIECE - OVERLAP) {
      const isLineEnd = offset + PIECE >= end;
      yield {
        text: text.slice(offset, Math.min(end, offset + PIECE)),
        offset,
        isLineStart: offset === start,
        isLineEnd,
      };
      if (isLineEnd) break;
    }
    start = end + 1;
  }
}

/**
 * @param rule name of the pattern, for the message
 * @throws AppError 'config-invalid' for a pattern that {@link patternProblem} refuses: nothing passes unscanned
 */
export function patternFinder(rule: string, source: string): Finder {
  const problem = patternProblem(source);
  if (problem !== null) {
    throw new AppError('config-invalid', `The data pattern "${rule}" cannot be used: ${problem}.`, {
      hint: 'Data patterns have RE2 syntax: no look-around, no back-references.',
    });
  }
  const pattern = compile(source);
  return function* (text) {
    const seen = new Set<number>();
    for (const piece of pieces(text)) {
      const matcher = pattern.matcher(piece.text);
      while (matcher.find()) {
        const [start, end] = [matcher.start(), matcher.end()];
        // At a cut the neighbouring piece sees the same place whole; here it may be a false beginning or end.
        const isCut = (start === 0 && !piece.isLineStart) || (end === piece.text.length && !piece.isLineEnd);
        const place: Place = { index: piece.offset + start, length: end - start };
        if (isCut || place.length === 0 || seen.has(place.index)) continue;
        seen.add(place.index);
        yield place;
      }
    }
  };
}
