import type { Readable } from 'node:stream';
import type { Clock } from '../../core/ports/world.ts';
import type { CommandSpec, Finished, OwnedChild, OwnedSpec, SpawnFailure } from './spawner.ts';

type StopKind = 'timed-out' | 'too-much-output' | 'stopped';

/** Runs a short command to its end and collects its output. */
export async function runCommand(
  spec: CommandSpec,
  start: (spec: OwnedSpec) => Promise<OwnedChild | SpawnFailure>,
  clock: Clock,
): Promise<Finished> {
  const { input, timeout, maxBytes, signal, ...common } = spec;
  const begun = clock.monotonic();
  const child = await start({ ...common, stdin: input === undefined ? 'ignore' : 'pipe' });
  if (child.kind === 'not-started') return child;

  let stopKind: StopKind | null = null;
  const stop = (kind: StopKind): void => {
    if (stopKind !== null) return;
    stopKind = kind;
    void child.stop();
  };
  const stdout = collect(child.stdout, maxBytes, () => stop('too-much-output'));
  const stderr = collect(child.stderr, maxBytes, () => stop('too-much-output'));
  const timer = clock.after(timeout, () => stop('timed-out'));
  const abort = (): void => stop('stopped');
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  if (input !== undefined && child.stdin !== null) {
    // A command may end without reading all of its input; its exit code tells what that means.
    void child.stdin.write(input);
    child.stdin.end();
  }
  const { exitCode, signal: endSignal } = await child.closed;
  timer.dispose();
  signal?.removeEventListener('abort', abort);
  return {
    kind: stopKind ?? 'exited',
    exitCode,
    signal: endSignal,
    stdout: stdout(),
    stderr: stderr(),
    durationMs: Math.round(clock.monotonic() - begun),
  };
}

/** Keeps the first `maxBytes` and reads on without keeping, so that the pipe never blocks the child. */
function collect(pipe: Readable, maxBytes: number, overflow: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  pipe.on('data', (chunk: Buffer) => {
    const room = maxBytes - length;
    if (room > 0) chunks.push(chunk.length <= room ? chunk : chunk.subarray(0, room));
    length += chunk.length;
    if (length > maxBytes) overflow();
  });
  return () => Buffer.concat(chunks);
}
