import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import type { HubStatusView } from '../../src-shared/api/hub.ts';
import type { ItemView } from '../../src-shared/api/item.ts';
import type { LedgerEntryView } from '../../src-shared/api/ledger.ts';
import type { TaskView } from '../../src-shared/api/task.ts';
import { claudeEnvironment, quietEnvironment } from './claude-cli.ts';
import { makeRepository, SAMPLES, type SampleKind, type SampleRepository } from './sample-repositories.ts';
import { makeTempFolder } from './temp-folder.ts';
import { waitUntil } from './wait-until.ts';
import { processesOf, type WorldProcess } from './world-processes.ts';
import { WriteWatch } from './write-watch.ts';

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What `--json` printed, undefined when it is not JSON. */
  readonly json: unknown;
}

export interface RunningHub {
  readonly pid: number;
  /** SIGKILL to the hub's process alone, as a crash does. Resolves once it is gone. */
  crash(): Promise<void>;
  /** SIGTERM, and its exit code. */
  stop(): Promise<number | null>;
  /** Exit code and error output once it ends by itself. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
}

export interface WorldOptions {
  /** Path of the program that plays, or is, `claude`. */
  readonly claude: string;
  /** Base address of the model server for the real program. */
  readonly modelBaseUrl?: string;
  /** More variables for the hub and the commands. */
  readonly environment?: Readonly<Record<string, string>>;
}

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
export const SIGNALBOX = path.join(REPOSITORY, 'out/cli/signalbox.js');
export const SCRIPTED_CLAUDE = path.join(REPOSITORY, 'out/cli/scripted-claude.js');

const COMMAND_TIMEOUT_MS = 60_000;
const WAIT_MS = 60_000;
// A look is a command, and costs a quarter of a second of computing: looking all the time would slow down what is
// waited for. So there is one when the store was written, and now and then for what happens elsewhere.
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;

const parseOrUndefined = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Signalbox on a data directory of its own, seen only through its public commands. Invariant: whatever a world
 * started is gone when it is disposed, and `dispose` fails the test if the hub left something behind.
 */
export class RelayWorld {
  readonly folder: string;
  readonly home: string;
  readonly data: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #temp = makeTempFolder('world');
  readonly #writes: WriteWatch;
  #hub: RunningHub | null = null;

  private constructor(options: WorldOptions) {
    this.folder = this.#temp.path;
    this.home = this.#temp.join('home');
    this.data = this.#temp.join('data');
    this.#writes = new WriteWatch(this.data);
    const base =
      options.modelBaseUrl === undefined
        ? quietEnvironment(this.home)
        : claudeEnvironment(this.home, options.modelBaseUrl);
    this.environment = {
      ...base,
      SIGNALBOX_HOME: this.data,
      SIGNALBOX_CLAUDE: options.claude,
      XDG_RUNTIME_DIR: this.#temp.join('run'),
      TMPDIR: this.#temp.join('tmp'),
      NO_COLOR: '1',
      ...options.environment,
    };
  }

  static async create(options: WorldOptions): Promise<RelayWorld> {
    const world = new RelayWorld(options);
    for (const name of ['home', 'run', 'tmp', 'repositories'])
      await mkdir(path.join(world.folder, name), { recursive: true });
    await chmod(path.join(world.folder, 'run'), 0o700);
    return world;
  }

  /** Runs one command as a person at a terminal would, whatever its exit code. */
  async run(args: readonly string[], options: { readonly input?: string } = {}): Promise<CommandResult> {
    const result = await execa(process.execPath, [SIGNALBOX, ...args], {
      cwd: this.folder,
      env: this.environment,
      extendEnv: false,
      reject: false,
      timeout: COMMAND_TIMEOUT_MS,
      stripFinalNewline: false,
      ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    });
    return {
      exitCode: result.exitCode ?? null,
      stdout: result.stdout,
      stderr: result.stderr,
      json: parseOrUndefined(result.stdout),
    };
  }

  /** Runs a command with `--json` that has to succeed. `T` is the caller's word for its shape. */
  async json<T>(args: readonly string[], options: { readonly input?: string } = {}): Promise<T> {
    const result = await this.run([...args, '--json'], options);
    if (result.exitCode !== 0 || result.json === undefined)
      throw new Error(
        `signalbox ${args.join(' ').slice(0, 200)}: exit ${result.exitCode}\n${result.stdout}\n${result.stderr}`,
      );
    return result.json as T;
  }

  /** Makes a sample repository and registers it; further flags as in `project add`. */
  async addProject(
    name: string,
    options: {
      readonly kind?: SampleKind;
      readonly files?: Readonly<Record<string, string>>;
      readonly flags?: readonly string[];
      readonly withoutTests?: boolean;
    } = {},
  ): Promise<SampleRepository> {
    const kind = options.kind ?? 'python';
    const repository = await makeRepository(
      path.join(this.folder, 'repositories', name),
      kind,
      options.files,
    );
    const test = options.withoutTests === true ? [] : ['--test', JSON.stringify(SAMPLES[kind].test)];
    await this.json(['project', 'add', repository.path, '--name', name, ...test, ...(options.flags ?? [])]);
    return repository;
  }

  /** @returns the task's small number */
  async addTask(project: string, title: string, description: string): Promise<number> {
    const task = await this.json<TaskView>(['task', 'add', project, '--title', title, '--description', '-'], {
      input: description,
    });
    return task.number;
  }

  task(id: number): Promise<TaskView> {
    return this.json<TaskView>(['task', 'show', String(id)]);
  }

  item(number: number): Promise<ItemView> {
    return this.json<ItemView>(['inbox', 'show', String(number)]);
  }

  inbox(options: { readonly all?: boolean } = {}): Promise<ItemView[]> {
    return this.json<ItemView[]>(['inbox', ...(options.all === true ? ['--all'] : [])]);
  }

  ledger(...filter: readonly string[]): Promise<LedgerEntryView[]> {
    return this.json<LedgerEntryView[]>(['ledger', '--limit', '10000', ...filter]);
  }

  status(): Promise<HubStatusView> {
    return this.json<HubStatusView>(['hub', 'status']);
  }

  /** Polls a condition made of commands. On time-out the error holds what the hub and the tasks look like. */
  async until<T>(
    what: string,
    condition: () => Promise<T>,
    withinMs = WAIT_MS,
  ): Promise<Exclude<T, false | null | undefined>> {
    let seen = this.#writes.count;
    const pause = async (): Promise<void> => {
      await delay(SHORTEST_PAUSE_MS);
      await this.#writes.more(seen, LONGEST_PAUSE_MS);
      seen = this.#writes.count;
    };
    try {
      return await waitUntil(what, condition, { withinMs, pause });
    } catch (cause) {
      throw new Error(`${String(cause)}\n${await this.#picture()}`, { cause });
    }
  }

  /** Waits for a task to be in one of the states. */
  untilTask(id: number, states: readonly string[], withinMs = WAIT_MS): Promise<TaskView> {
    return this.until(
      `task ${id} is ${states.join(' or ')}`,
      async () => {
        const task = await this.task(id);
        return states.includes(task.state) ? task : null;
      },
      withinMs,
    );
  }

  /** Waits for an open item of the kind; of the task, when one is named. */
  untilItem(kind: string, task: number | null = null, withinMs = WAIT_MS): Promise<ItemView> {
    return this.until(
      `an open ${kind} item${task === null ? '' : ` of task ${task}`}`,
      async () => {
        const items = await this.inbox();
        return items.find((item) => item.kind === kind && (task === null || item.taskNumber === task));
      },
      withinMs,
    );
  }

  /** Starts `signalbox hub` without waiting for anything. */
  spawnHub(flags: readonly string[] = []): RunningHub {
    if (this.#hub !== null) throw new Error('This world has a hub already.');
    const child = execa(process.execPath, [SIGNALBOX, 'hub', ...flags], {
      cwd: this.folder,
      env: this.environment,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      stdout: 'ignore',
      cleanup: true,
    });
    const ended = child.then((result) => {
      if (this.#hub?.pid === child.pid) this.#hub = null;
      return { exitCode: result.exitCode ?? null, stderr: String(result.stderr) };
    });
    const pid = child.pid;
    if (pid === undefined) throw new Error('node could not be started.');
    const hub: RunningHub = {
      pid,
      ended,
      crash: async () => {
        process.kill(pid, 'SIGKILL');
        await ended;
      },
      stop: async () => {
        process.kill(pid, 'SIGTERM');
        return (await ended).exitCode;
      },
    };
    this.#hub = hub;
    return hub;
  }

  /** Starts `signalbox hub` and waits until it answers. */
  async startHub(flags: readonly string[] = []): Promise<RunningHub> {
    const hub = this.spawnHub(flags);
    const early = hub.ended.then(({ exitCode, stderr }) => {
      throw new Error(`The hub ended at its start: exit ${exitCode}\n${stderr}`);
    });
    early.catch(() => undefined);
    await Promise.race([
      early,
      this.until('the hub answers', async () => {
        const status = await this.status();
        return status.running && status.pid === hub.pid;
      }),
    ]);
    return hub;
  }

  /** Living processes of this world, the hub's own included. */
  processes(): Promise<WorldProcess[]> {
    return processesOf(this.folder);
  }

  /** Waits until nothing of this world is alive; the error names what still is. */
  async untilNoProcess(withinMs = 10_000): Promise<void> {
    let left: readonly WorldProcess[] = [];
    await waitUntil(
      'no process of the world is left',
      async () => {
        left = await this.processes();
        return left.length === 0;
      },
      { withinMs, everyMs: 50 },
    ).catch((cause: unknown) => {
      throw new Error(
        `Processes left behind: ${left.map(({ pid, mark, command }) => `${pid} [${mark}] ${command.slice(0, 200)}`).join('; ')}`,
        { cause },
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      if (this.#hub !== null) await this.#hub.stop();
      await this.untilNoProcess();
    } finally {
      for (const { pid } of await this.processes()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It ended meanwhile.
        }
      }
      this.#writes[Symbol.dispose]();
      this.#temp.dispose();
    }
  }

  async #picture(): Promise<string> {
    const parts = await Promise.all(
      [['hub', 'status'], ['task', 'list'], ['inbox']].map(async (args) => {
        const { stdout, stderr } = await this.run([...args, '--json']);
        return `${args.join(' ')}: ${stdout.trim().slice(0, 4000)} ${stderr.trim().slice(0, 1000)}`;
      }),
    );
    const processes = await this.processes();
    return [...parts, `processes: ${JSON.stringify(processes.map((one) => one.command.slice(0, 120)))}`].join(
      '\n',
    );
  }
}
