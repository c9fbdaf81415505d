import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ForkOptions {
  readonly detached: boolean;
  readonly ignoreSigterm: boolean;
  readonly holdOutput: boolean;
}

/**
 * Starts a process that lives until it is killed, as an agent's careless dev server would. This program plays a
 * foreign one, so what it starts is on purpose nobody's here: whoever runs it has to find and end it.
 *
 * @returns its pid, once it is so far that it ignores what it shall ignore
 */
export async function forkOne(options: ForkOptions): Promise<number> {
  const script = `${options.ignoreSigterm ? "process.on('SIGTERM',()=>{});" : ''}setInterval(()=>{},1e8);process.send('ready');`;
  const child = spawn(process.execPath, ['-e', script], {
    detached: options.detached,
    stdio: ['ignore', options.holdOutput ? 'inherit' : 'ignore', 'ignore', 'ipc'],
  });
  await once(child, 'message');
  child.disconnect();
  child.unref();
  return child.pid ?? -1;
}
