import type { Writable } from 'node:stream';
import type { ChildInput, WriteOutcome } from './spawner.ts';

/** Input of a child over its pipe. Errors of the pipe (the child is gone) become outcomes. */
export function createChildInput(pipe: Writable): ChildInput {
  pipe.on('error', () => undefined);
  return {
    write: (text) =>
      new Promise<WriteOutcome>((resolve) => {
        if (pipe.destroyed || pipe.writableEnded || pipe.errored !== null) {
          resolve('refused');
          return;
        }
        // Node hands the text to the system within this call when nothing waits before it. An error known right
        // after it means that the system took nothing; one that comes later may follow a part that it took.
        const isFirst = pipe.writableLength === 0;
        let isRefused = false;
        pipe.write(text, (error) => {
          if (error === null || error === undefined) resolve('written');
          else resolve(isRefused ? 'refused' : 'broken');
        });
        isRefused = isFirst && pipe.errored !== null;
      }),
    end: () => {
      if (!pipe.destroyed && !pipe.writableEnded) pipe.end();
    },
  };
}
