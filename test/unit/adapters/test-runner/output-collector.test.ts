import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createOutputCollector,
  TAIL_BYTES,
} from '../../../../src-main/adapters/test-runner/output-collector.ts';

const collect = (chunks: readonly Uint8Array[], head?: number, end?: number) => {
  const collector = createOutputCollector(head, end);
  for (const chunk of chunks) collector.add(chunk);
  return collector.finish();
};
const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

test('a character that two chunks share is one character', () => {
  const euro = bytes('€');
  expect(collect([euro.subarray(0, 1), euro.subarray(1)])).toEqual({ text: '€', bytes: 3, tail: '€' });
});

test('of too much output the start and the end are kept, with a line that counts the rest', () => {
  expect(collect([bytes('0123456789'), bytes('abcdefghij'), bytes('KLMNOPQRST')], 4, 6)).toEqual({
    text: '0123\n[Signalbox: 20 bytes of output were left out here]\nOPQRST',
    bytes: 30,
    tail: '0123\n[Signalbox: 20 bytes of output were left out here]\nOPQRST',
  });
});

test('the tail begins with a whole line', () => {
  const text = Array.from({ length: 2000 }, (_, at) => `line ${at}`).join('\n');
  const { tail } = collect([bytes(text)]);
  expect(tail.startsWith('line ')).toBe(true);
  expect(text.endsWith(`\n${tail}`)).toBe(true);
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(TAIL_BYTES);
});

test('of one long line the tail is its end', () => {
  const { tail } = collect([bytes('€'.repeat(10_000))]);
  expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(TAIL_BYTES);
  expect(tail).toMatch(/^€+$/);
});

test('whatever the bytes and the chunks, text is valid, counted, bounded, and the tail ends it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }),
      fc.nat(100),
      fc.integer({ min: 1, max: 100 }),
      (chunks, head, end) => {
        const { text, bytes: count, tail } = collect(chunks, head, end);
        const all = Buffer.concat(chunks);
        expect(count).toBe(all.length);
        expect(text.isWellFormed() && tail.isWellFormed()).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        if (all.length <= head + end)
          expect(text).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
        else
          expect(text).toContain(
            `[Signalbox: ${all.length - head - end} bytes of output were left out here]`,
          );
      },
    ),
    { numRuns: 3000 },
  );
});
