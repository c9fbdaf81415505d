import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from '../../../../../src-main/core/harness/claude-code/line-splitter.ts';
import { decode } from './replay.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf8'));

function splitAll(whole: Uint8Array, cuts: readonly number[], limitBytes?: number): readonly string[] {
  const splitter = createLineSplitter({ decode, ...(limitBytes === undefined ? {} : { limitBytes }) });
  const lines: string[] = [];
  let from = 0;
  for (const cut of [...cuts, whole.length]) {
    lines.push(...splitter.push(whole.subarray(from, Math.max(from, cut))));
    from = Math.max(from, cut);
  }
  const rest = splitter.end();
  return rest === null ? lines : [...lines, rest];
}

test('text comes out line by line however the bytes were cut, also inside a character', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')));
  const cuts = fc.array(fc.nat(300)).map((list) => list.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(texts, cuts, (lines, at) => {
      const whole = bytes(lines.map((line) => `${line}\n`).join(''));
      expect(
        splitAll(
          whole,
          at.map((cut) => Math.min(cut, whole.length)),
        ),
      ).toEqual(lines);
    }),
  );
});

test('a last line without a newline comes out at the end, once', () => {
  const splitter = createLineSplitter({ decode });
  expect([splitter.push(bytes('a\nb')), splitter.end(), splitter.end()]).toEqual([['a'], 'b', null]);
});

test('a line of exactly the limit passes and one byte more breaks the stream, in one chunk or in many', () => {
  const passes = (length: number, cuts: readonly number[]): boolean => {
    const whole = bytes(`x\n${'y'.repeat(length)}\nz\n`);
    return splitAll(whole, cuts, 20).length === 3;
  };
  const ways = [[], [5], [1, 2, 3, 10, 20], Array.from({ length: 30 }, (_, index) => index)];
  expect(ways.map((cuts) => [passes(20, cuts), passes(21, cuts)])).toEqual(ways.map(() => [true, false]));
});

test('a stream without newlines is cut off at the limit and holds nothing after', () => {
  const splitter = createLineSplitter({ decode, limitBytes: 100 });
  const chunk = bytes('x'.repeat(60));
  splitter.push(chunk);
  expect(splitter.isBroken).toBe(false);
  splitter.push(chunk);
  expect([splitter.isBroken, splitter.push(bytes('\n{}\n')), splitter.end()]).toEqual([true, [], null]);
});
