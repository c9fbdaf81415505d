/** Keeps the last bytes of a stream, for the reason that a process gives before it ends. */
export interface TextTail {
  push(chunk: Buffer): void;
  text(): string;
}

export function createTextTail(limitBytes: number): TextTail {
  let chunks: Buffer[] = [];
  let held = 0;
  return {
    push(chunk) {
      chunks.push(chunk);
      held += chunk.length;
      // Compacted now and then, so that many small chunks cost no quadratic copying.
      if (held > limitBytes * 2 || chunks.length > 1_000) {
        const kept = Buffer.concat(chunks).subarray(-limitBytes);
        chunks = [Buffer.from(kept)];
        held = kept.length;
      }
    },
    text: () => Buffer.concat(chunks).subarray(-limitBytes).toString('utf8'),
  };
}
