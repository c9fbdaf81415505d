import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClaudeExecutor } from '../../../src-main/adapters/claude-code/executor.ts';
import { createRandomIds } from '../../../src-main/adapters/random-ids.ts';
import { systemClock } from '../../../src-main/adapters/system-clock.ts';
import type {
  Executor,
  RelayTurn,
  RelayTurnRequest,
  TurnEvent,
  TurnOutcome,
} from '../../../src-main/core/ports/harness.ts';
import type {
  Scenario,
  ScenarioStep,
  ScriptedLogEntry,
} from '../../../src-main/hosts/cli/demo/scripted-scenario.ts';
import { microUsd } from '../../../src-shared/money.ts';
import { seconds } from '../../../src-shared/time.ts';
import { makeProcessWorld } from '../../support/process-world.ts';
import type { ProcessWorld } from '../../support/process-world.ts';
import { pidsWithMark } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';

const SCRIPTED_CLAUDE = path.resolve(import.meta.dirname, '../../../out/cli/scripted-claude.js');
const quietLog = { info: (): void => undefined, warn: (): void => undefined, error: (): void => undefined };

export interface PlayedTurn {
  readonly events: readonly TurnEvent[];
  readonly outcome: TurnOutcome;
}

/** The adapter with real processes and the scripted `claude`, a tree and a HOME of its own. */
export class TurnWorld {
  readonly ids = createRandomIds(systemClock);
  readonly cwd: string;
  readonly home: string;
  readonly executor: Executor;
  readonly #world: ProcessWorld;

  private constructor(world: ProcessWorld, environment: Readonly<Record<string, string>>) {
    this.#world = world;
    this.cwd = world.folder.join('trees', 'task_1');
    this.home = world.folder.join('home');
    for (const folder of [this.cwd, this.home]) mkdirSync(folder, { recursive: true });
    this.executor = createClaudeExecutor({
      spawner: world.spawner,
      processes: world.table,
      clock: systemClock,
      log: quietLog,
      hubId: world.hub,
      inheritedEnv: { PATH: '/usr/bin:/bin', HOME: this.home, ...environment },
      homeFolder: this.home,
      claudeCommand: SCRIPTED_CLAUDE,
    });
  }

  static async create(environment: Readonly<Record<string, string>> = {}): Promise<TurnWorld> {
    return new TurnWorld(await makeProcessWorld(), environment);
  }

  path(...parts: readonly string[]): string {
    return this.#world.folder.join(...parts);
  }

  scenario(scenario: Scenario): void {
    writeFileSync(path.join(this.home, '.scripted-claude.json'), JSON.stringify(scenario));
  }

  /** The same steps for every turn. */
  steps(...steps: readonly ScenarioStep[]): void {
    this.scenario({ rules: [{ steps }] });
  }

  log(): readonly ScriptedLogEntry[] {
    const file = path.join(this.home, '.scripted-claude.json.log');
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ScriptedLogEntry);
  }

  prompts(): readonly string[] {
    return this.log().flatMap((entry) => (entry.event === 'prompt' ? [entry.prompt] : []));
  }

  request(change: Partial<RelayTurnRequest> = {}): RelayTurnRequest {
    return {
      launchId: this.ids.next('launch'),
      ownerMark: this.#world.mark('att_test'),
      sessionId: this.ids.sessionId(),
      session: 'new',
      cwd: this.cwd,
      model: 'sonnet',
      budgetMicroUsd: microUsd(500_000),
      outputForm: 'stream-json',
      environmentNames: [],
      timeout: seconds(60),
      ...change,
    };
  }

  /** @throws Error when it is not launched */
  async launch(change: Partial<RelayTurnRequest> = {}): Promise<RelayTurn> {
    const launched = await this.executor.launch(this.request(change));
    if (launched.kind === 'not-started') throw new Error(launched.message);
    return launched.turn;
  }

  /** A turn from its launch to its outcome, with all of its events. */
  async play(prompt: string, change: Partial<RelayTurnRequest> = {}): Promise<PlayedTurn> {
    const turn = await this.launch(change);
    const reading = readAll(turn);
    await turn.writePrompt(prompt);
    const outcome = await turn.outcome;
    return { events: await reading, outcome };
  }

  /** Living processes that this world started, as the system shows them, the guardian left out. */
  alive(): readonly number[] {
    return pidsWithMark(`${this.#world.hub}:att`);
  }

  async untilFile(file: string): Promise<void> {
    await waitUntil(`${path.basename(file)} is there`, () => existsSync(file));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#world[Symbol.asyncDispose]();
  }
}

export async function readAll(turn: RelayTurn): Promise<readonly TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn.events) events.push(event);
  return events;
}
