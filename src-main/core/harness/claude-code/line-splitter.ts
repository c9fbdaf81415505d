/** 16 MiB, as 20-claude-code says. */
export const LINE_LIMIT_BYTES = 16 * 1024 * 1024;

const NEWLINE = 10;

export interface LineSplitterOptions {
  /** A line with more bytes than this, its newline not counted, breaks the stream. */
  readonly limitBytes?: number;
  /** UTF-8 with replacement of what is no UTF-8; passed in because the core knows no platform. */
  readonly decode: (bytes: Uint8Array) => string;
}

export interface LineSplitter {
  /** Whole lines of everything pushed so far, without their newlines, in order. */
  push(chunk: Uint8Array): readonly string[];
  /** The unfinished line at the end of the stream; null when there is none. */
  end(): string | null;
  /** True once a line was too long. From then on nothing more comes out. */
  readonly isBroken: boolean;
}

/**
 * Cuts a byte stream into lines. It cuts at newline bytes before decoding, so a character that arrives in two
 * chunks is never torn, and it decodes the finished part of a chunk at once, since most lines are short.
 *
 * Invariant: `held` never holds more than the limit plus one chunk.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const limit = options.limitBytes ?? LINE_LIMIT_BYTES;
  let pieces: Uint8Array[] = [];
  let held = 0;
  let isBroken = false;

  const hold = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    // A copy: a small piece must not keep the whole buffer of a read alive.
    pieces.push(bytes.slice());
    held += bytes.length;
  };
  const take = (last: Uint8Array): Uint8Array => {
    if (held === 0) return last;
    const whole = new Uint8Array(held + last.length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    whole.set(last, at);
    pieces = [];
    held = 0;
    return whole;
  };
  const breakOff = (): readonly string[] => {
    isBroken = true;
    pieces = [];
    held = 0;
    return [];
  };

  return {
    push(chunk) {
      if (isBroken) return [];
      const last = chunk.lastIndexOf(NEWLINE);
      if (last === -1) {
        hold(chunk);
        return held > limit ? breakOff() : [];
      }
      const first = chunk.indexOf(NEWLINE);
      if (held + first > limit) return breakOff();
      // One chunk may hold a too long line only when it is itself longer than the limit.
      if (chunk.length > limit) {
        for (let from = first + 1; from <= last;) {
          const to = chunk.indexOf(NEWLINE, from);
          if (to - from > limit) return breakOff();
          from = to + 1;
        }
      }
      const text = options.decode(take(chunk.subarray(0, last)));
      hold(chunk.subarray(last + 1));
      if (held > limit) breakOff();
      return text.split('\n');
    },
    end() {
      if (isBroken || held === 0) return null;
      return options.decode(take(new Uint8Array(0)));
    },
    get isBroken() {
      return isBroken;
    },
  };
}
