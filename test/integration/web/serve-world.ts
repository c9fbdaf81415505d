import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface Served {
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The link that it printed. */
  readonly link: string;
  readonly ended: Promise<number | null>;
  signal(name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void;
  /** As one Ctrl+C. @returns the exit code */
  stop(): Promise<number | null>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const createWorld = (environment: Readonly<Record<string, string>> = {}): Promise<RelayWorld> =>
  RelayWorld.create({ claude: SCRIPTED_CLAUDE, environment });

/** Plays a Claude Code that works on for ever and does not care about SIGTERM. */
const STUBBORN = `
const args = process.argv.slice(2);
if (args[0] === '--version') process.stdout.write('2.1.332 (Claude Code)\\n');
else if (args[0] === 'auth') process.stdout.write(JSON.stringify({ loggedIn: true, authMethod: 'test' }) + '\\n');
else {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
`;

/** A world with a task whose turn does not end by itself. */
export async function createBusyWorld(): Promise<RelayWorld> {
  const world = await createWorld();
  const claude = path.join(world.folder, 'claude.mjs');
  writeFileSync(claude, STUBBORN);
  Object.assign(world.environment, { SIGNALBOX_CLAUDE: claude });
  await world.addProject('shop', { withoutTests: true });
  await world.addTask('shop', 'Long', 'Work for ever.');
  return world;
}

/** Starts `signalbox serve` and waits for its line. */
export async function startServe(world: RelayWorld, flags: readonly string[] = []): Promise<Served> {
  const child = execa(process.execPath, [SIGNALBOX, 'serve', ...flags], {
    cwd: world.folder,
    env: world.environment,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    buffer: false,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  let exitCode: number | null | undefined;
  const ended = child.then((result) => (exitCode = result.exitCode ?? null));
  const { pid } = child;
  if (pid === undefined) throw new Error('node could not be started.');
  const link = await waitUntil(
    'serve has printed its link',
    () => {
      if (exitCode !== undefined) throw new Error(`serve ended: ${exitCode}\n${stdout}\n${stderr}`);
      return /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(stdout)?.[0];
    },
    { withinMs: 60_000 },
  );
  const signal = (name: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): void => {
    process.kill(pid, name);
  };
  const stop = (): Promise<number | null> => {
    if (exitCode === undefined) signal('SIGINT');
    return ended;
  };
  return {
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    link,
    ended,
    signal,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}
