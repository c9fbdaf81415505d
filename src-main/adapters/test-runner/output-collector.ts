import { Buffer } from 'node:buffer';

/** Of the output, this much from its start and this much from its end is kept. */
const HEAD_BYTES = 40 * 1024 * 1024;
const END_BYTES = 8 * 1024 * 1024;
/** The part that is shown and sent back to the agent. */
export const TAIL_BYTES = 8 * 1024;

export interface CollectedOutput {
  /** Valid text; of more than 48 MiB the middle is cut out, with a line that says so. */
  readonly text: string;
  /** Everything the command wrote, also what was cut. */
  readonly bytes: number;
  /** At most 8 KiB of UTF-8 from the end, whole lines where possible. */
  readonly tail: string;
}

export interface OutputCollector {
  add(chunk: Uint8Array): void;
  finish(): CollectedOutput;
}

/** Keeps a bounded part of what a command writes, in the order in which it came. */
export function createOutputCollector(headBytes = HEAD_BYTES, endBytes = END_BYTES): OutputCollector {
  const head: Uint8Array[] = [];
  let headLength = 0;
  let end: Uint8Array[] = [];
  let endLength = 0;
  let bytes = 0;

  /** Drops whole chunks that lie before the last `endBytes`. */
  const trim = (): void => {
    let drop = 0;
    while (endLength - (end[drop]?.length ?? 0) >= endBytes) {
      endLength -= end[drop]?.length ?? 0;
      drop += 1;
    }
    if (drop > 0) end = end.slice(drop);
  };

  return {
    add: (chunk) => {
      bytes += chunk.length;
      const room = Math.min(chunk.length, headBytes - headLength);
      if (room > 0) {
        head.push(chunk.subarray(0, room));
        headLength += room;
      }
      if (room < chunk.length) {
        end.push(chunk.subarray(room));
        endLength += chunk.length - room;
        if (endLength > 2 * endBytes) trim();
      }
    },
    finish: () => {
      trim();
      const first = Buffer.concat(head);
      const rest = Buffer.concat(end);
      const last = rest.subarray(Math.max(0, rest.length - endBytes));
      const cut = bytes - first.length - last.length;
      const text =
        cut === 0
          ? validText(Buffer.concat([first, last]))
          : `${validText(first)}\n[Signalbox: ${cut} bytes of output were left out here]\n${validText(last)}`;
      return { text, bytes, tail: tailOf(text) };
    },
  };
}

/** Bytes that are no UTF-8 become U+FFFD. */
const validText = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** The last lines that fit in {@link TAIL_BYTES}; of one longer line its end. */
function tailOf(text: string): string {
  // A character takes at most three bytes per UTF-16 unit, so this is enough and not much more.
  const bytes = Buffer.from(text.slice(-TAIL_BYTES).toWellFormed(), 'utf8');
  if (bytes.length <= TAIL_BYTES && text.length <= TAIL_BYTES) return text.toWellFormed();
  let from = Math.max(0, bytes.length - TAIL_BYTES);
  // Not into the middle of a character: continuation bytes begin with the bits 10.
  while (from < bytes.length && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const tail = bytes.subarray(from).toString('utf8');
  const newline = tail.indexOf('\n');
  return newline === -1 || newline === tail.length - 1 ? tail : tail.slice(newline + 1);
}
