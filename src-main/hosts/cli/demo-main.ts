import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError } from 'commander';
import { createProcessTable } from '../../adapters/process/process-table.ts';
import { createSpawner } from '../../adapters/process/spawn-owned.ts';
import { createRandomIds } from '../../adapters/random-ids.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { counted } from '../../../src-shared/counted.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import { millis } from '../../../src-shared/time.ts';
import { findHub, type ApiClient } from './connect.ts';
import { DEMO_TASK, makeDemoRepository } from './demo/demo-repositories.ts';
import { runDemoRelay } from './demo/demo-relay.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { createHost, type Host } from './host.ts';
import { createOutput } from './output.ts';
import { renderRelay } from './render-report.ts';
import { runHub } from './run-hub.ts';

const PROJECTS = ['h1-a', 'h1-b'] as const;

interface DemoFlags {
  readonly live?: boolean;
  readonly interactive?: boolean;
  readonly keep?: boolean;
}

/**
 * `npm run demo`: two synthetic repositories, a task in each that makes the agent ask, both worked on at the same
 * time in a data folder of their own. Answers by itself after a moment and prints the relay report (10-relay, Demo).
 */
async function main(words: readonly string[]): Promise<number> {
  const program = new Command('demo')
    .description('Runs the relay over two synthetic repositories and prints its report.')
    .option('--live', 'with the real Claude Code and your login; costs money')
    .option('--interactive', 'leave the answering to you, in another terminal')
    .option('--keep', 'leave the repositories and the data folder there')
    .exitOverride()
    .addHelpText('after', '\nExample:\n  $ npm run demo -- --interactive');
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.yes : EXIT.usage;
    throw error;
  }
  const flags = program.opts<DemoFlags>();
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'signalbox-demo-')));
  const isKept = flags.keep === true || flags.interactive === true;
  try {
    return await runIn(folder, flags);
  } finally {
    if (isKept) process.stdout.write(`\nThe repositories and the data folder are in ${folder}\n`);
    else rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The scripted agent keeps its sessions in a HOME of the demo's own, so that nothing of the person's is touched. */
function prepareEnvironment(folder: string, isLive: boolean): void {
  process.env['SIGNALBOX_HOME'] = path.join(folder, 'data');
  if (isLive) return;
  const home = path.join(folder, 'home');
  mkdirSync(home);
  for (const name of ['HOME', 'USERPROFILE']) process.env[name] = home;
  delete process.env['CLAUDE_CONFIG_DIR'];
  process.env['SIGNALBOX_CLAUDE'] = fileURLToPath(new URL('./scripted-claude.js', import.meta.url));
}

async function runIn(folder: string, flags: DemoFlags): Promise<number> {
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  prepareEnvironment(folder, flags.live === true);
  const host = createHost(
    createOutput({
      json: false,
      stdout: process.stdout,
      stderr: { write: () => undefined },
      env: process.env,
    }),
    () => undefined,
    (handler) => {
      for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, handler);
    },
  );
  const repositories = await makeRepositories(folder);
  say(
    `Two synthetic repositories: ${repositories.map(({ name }) => name).join(', ')}. Agent: ${flags.live === true ? 'Claude Code (costs money)' : 'a scripted stand-in (costs nothing)'}.`,
  );
  const hub = runHub(host, { untilIdle: false, maxSeconds: null });
  // A hub that cannot start must not be waited for.
  const client = await Promise.race([clientOf(host), hub.then(() => null)]);
  if (client === null) return EXIT.failed;
  try {
    const tasks = await register(client, repositories, flags.live === true);
    if (flags.interactive === true) {
      say(
        `Answer in another terminal:\n  export SIGNALBOX_HOME=${process.env['SIGNALBOX_HOME'] ?? ''}\n  npx signalbox inbox\n`,
      );
    }
    const isFinished = await runDemoRelay({
      client,
      clock: host.clock,
      say,
      isInteractive: flags.interactive === true,
      tasks,
      until: hub,
    });
    const report = await client.report.relay.query({ projects: [...PROJECTS] });
    say(`\n${renderRelay(report)}`);
    const chain = await client.ledger.verify.query({ full: true });
    say(`Ledger: ${counted(chain.entries, 'entry', 'entries')}, chain ${chain.ok ? 'verified' : 'BROKEN'}.`);
    return isFinished && chain.ok ? EXIT.yes : EXIT.failed;
  } finally {
    await client.hub.stop.mutate().catch(() => undefined);
    await hub;
  }
}

async function clientOf(host: Host): Promise<ApiClient> {
  for (;;) {
    const session = await findHub(host);
    if (session !== null) return session.client;
    await new Promise<void>((resolve) => host.clock.after(millis(50), resolve));
  }
}

async function makeRepositories(
  folder: string,
): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const hub = createRandomIds(systemClock).next('hub');
  const table = createProcessTable({ clock: systemClock, spare: () => [] });
  const spawner = createSpawner({ hub, table, guardian: null, clock: systemClock });
  const made = PROJECTS.map((name) => ({ name, path: path.join(folder, name) }));
  for (const repository of made) await makeDemoRepository(spawner, hub, repository.path);
  return made;
}

/** Scripted work may be tested without a sandbox: Signalbox wrote it itself. Live work needs one. */
async function register(
  client: ApiClient,
  repositories: readonly { readonly name: string; readonly path: string }[],
  isLive: boolean,
): Promise<readonly string[]> {
  for (const { name, path: repository } of repositories) {
    await client.project.add.mutate({
      path: repository,
      name,
      settings: { testCommand: ['node', '--test'], allowUnconfinedTests: !isLive },
    });
  }
  const tasks: string[] = [];
  for (const { name } of repositories) {
    const task = await client.task.add.mutate({ project: name, ...DEMO_TASK, draft: false });
    tasks.push(task.id);
  }
  return tasks;
}

main(process.argv.slice(2)).then(
  (exitCode) => process.exit(exitCode),
  (error: unknown) => {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : 'it broke'}\n`);
    process.exit(isAppError(error) ? exitCodeOf(error.code) : EXIT.failed);
  },
);
