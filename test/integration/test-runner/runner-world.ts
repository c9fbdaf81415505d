import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createArtifactFiles } from '../../../src-main/adapters/artifact-files.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import { createCommandRunner } from '../../../src-main/adapters/test-runner/command-runner.ts';
import type { CommandOutcome, CommandRequest, CommandRunner } from '../../../src-main/core/ports/commands.ts';
import type { Artifacts, Log } from '../../../src-main/core/ports/world.ts';
import { seconds } from '../../../src-shared/time.ts';
import { makeProcessWorld, type ProcessWorld } from '../../support/process-world.ts';

/** What this machine lacks and the person said to be known: `SIGNALBOX_TEST_SKIP=sandbox,account`. */
export const isExcused = (what: 'sandbox' | 'account'): boolean =>
  (process.env['SIGNALBOX_TEST_SKIP'] ?? '').split(',').includes(what);

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export interface RunnerWorld extends AsyncDisposable {
  readonly processes: ProcessWorld;
  readonly runner: CommandRunner;
  readonly artifacts: Artifacts;
  readonly home: string;
  readonly data: string;
  /** A tree in the data folder, as real ones are, with a `.git` pointer. */
  readonly tree: string;
  write(name: string, text: string): void;
  request(command: readonly string[], more?: Partial<CommandRequest>): CommandRequest;
  run(command: readonly string[], more?: Partial<CommandRequest>): Promise<CommandOutcome>;
  /** Runs it by `sh -c`. */
  sh(script: string, more?: Partial<CommandRequest>): Promise<CommandOutcome>;
  /** The same, for the output alone. @throws Error when it did not exit with 0 */
  output(script: string, more?: Partial<CommandRequest>): Promise<string>;
}

export interface RunnerWorldOptions {
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** Default an own, empty folder. */
  readonly home?: string;
  readonly accountHome?: string;
}

export async function makeRunnerWorld(options: RunnerWorldOptions = {}): Promise<RunnerWorld> {
  const processes = await makeProcessWorld();
  const { folder, hub, spawner } = processes;
  const home = options.home ?? folder.join('home');
  const data = folder.join('data');
  const tree = path.join(data, 'trees', 'prj_1', 'tsk_1');
  mkdirSync(home, { recursive: true });
  mkdirSync(tree, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(data, 'signalbox.db'), 'secret of the data folder', { mode: 0o600 });
  writeFileSync(path.join(tree, '.git'), 'gitdir: /nowhere\n');
  const artifacts = createArtifactFiles(path.join(data, 'artifacts'));
  const runner = createCommandRunner({
    spawner,
    clock: systemClock,
    log: silent,
    artifacts,
    hubId: hub,
    homeFolder: home,
    accountHome: options.accountHome ?? null,
    dataFolder: data,
    inheritedEnv: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      HOME: home,
      LANG: 'C.UTF-8',
      ...options.env?.(folder.path),
    },
  });
  const request = (command: readonly string[], more: Partial<CommandRequest> = {}): CommandRequest => ({
    purpose: 'test',
    project: 'shop',
    tree,
    command,
    shell: false,
    timeout: seconds(30),
    allowNetwork: false,
    sandboxRead: [],
    environmentNames: [],
    account: null,
    allowUnconfined: false,
    ownerMark: processes.mark('att_run'),
    started: () => undefined,
    ...more,
  });
  const run = (command: readonly string[], more?: Partial<CommandRequest>): Promise<CommandOutcome> =>
    runner.start(request(command, more)).outcome;
  const sh = (script: string, more?: Partial<CommandRequest>): Promise<CommandOutcome> =>
    run(['sh', '-c', script], more);
  return {
    processes,
    runner,
    artifacts,
    home,
    data,
    tree,
    request,
    run,
    sh,
    output: async (script, more) => {
      const outcome = await sh(script, more);
      if (outcome.kind !== 'exited' || outcome.exitCode !== 0) {
        throw new Error(`not a success: ${JSON.stringify(outcome)}`);
      }
      return outcome.tail;
    },
    write: (name, text) => {
      mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
      writeFileSync(path.join(tree, name), text);
    },
    [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
  };
}
