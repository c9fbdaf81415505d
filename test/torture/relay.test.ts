import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Scenario, ScenarioRule } from '../../src-main/hosts/cli/demo/scripted-scenario.ts';
import type { ItemView } from '../../src-shared/api/item.ts';
import type { ChainView } from '../../src-shared/api/ledger.ts';
import type { TaskView } from '../../src-shared/api/task.ts';
import { RelayWorld, SCRIPTED_CLAUDE, type RunningHub } from '../support/relay-world.ts';
import type { SampleRepository } from '../support/sample-repositories.ts';
import { waitUntil } from '../support/wait-until.ts';
import { overlappingLaunches, readHistory, sessionOfLaunch, type AgentHistory } from './history.ts';
import { seededRandom, type Random } from './random.ts';

/**
 * R1: the hub is killed at random moments while tasks run, people answer and work is merged; at the end everything
 * must have been done exactly once. The moments are drawn from the seed, which is printed and can be given again.
 */
const KILLS = Number(process.env['SIGNALBOX_TORTURE_KILLS'] ?? 60);
const SEED = Number(process.env['SIGNALBOX_TORTURE_SEED'] ?? Math.floor(Date.now() / 1000) % 1_000_000);
const PROJECTS = ['h1-a', 'h1-b', 'h1-c'];
const OPEN_TASKS = 6;
const MOST_TASKS = Math.max(60, KILLS);
/** A bound against a run that hangs: a kill takes three seconds on two idle cores. */
const MOST_MS = 600_000 + KILLS * 15_000;
/** One kill in five comes while the hub starts and recovers. */
const EARLY_SHARE = 0.2;
const LATEST_DURING_START_MS = 1200;
/**
 * The others come once the agents have done so many things (a launch, a prompt, an end), and a moment later: so a
 * slow machine is hit in the middle of work as well as a fast one.
 */
const MOST_THINGS = 8;
const LATEST_AFTER_THINGS_MS = 600;
/** Then also when nothing is going on. */
const LONGEST_LIFE_MS = 8_000;
/** A hub that has not begun by then is killed all the same. */
const LONGEST_START_MS = 20_000;
const FINISH_MS = 300_000;

const fileOf = (task: number): string => `work-${task}.txt`;
/** Stands in every answer, so that the scripted agent knows by its conversation how far it is. */
const answerMark = (cycle: number, task: number): string => `${cycle === 1 ? 'first' : 'second'} of ${task};`;

/** Asks twice, then writes the task's own file. Some of its history is only written at a turn's end. */
function scenario(): Scenario {
  const rules = Array.from({ length: MOST_TASKS }, (_, index): ScenarioRule[] => {
    const task = index + 1;
    const history = task % 3 === 0 ? 'with-result' : 'at-once';
    return [
      {
        match: { conversation: answerMark(2, task) },
        history,
        steps: [
          { do: 'wait', ms: 150 },
          { do: 'write', path: fileOf(task), content: `work of task ${task}\n` },
          { do: 'wait', ms: 250 },
          { do: 'done', summary: `Wrote ${fileOf(task)}.` },
        ],
      },
      {
        match: { conversation: answerMark(1, task) },
        history,
        steps: [
          { do: 'wait', ms: 200 },
          { do: 'ask', question: 'And then?', options: ['so', 'thus'] },
        ],
      },
    ];
  });
  const begin: ScenarioRule = {
    steps: [
      { do: 'say', text: 'I have a question.' },
      { do: 'wait', ms: 300 },
      { do: 'ask', question: 'How shall I begin?', options: ['so', 'thus'] },
    ],
  };
  return { rules: [...rules.flat(), begin] };
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

class Torture {
  readonly #world: RelayWorld;
  /** Moments of kills and what is killed: drawn by nothing else, so a seed gives the same ones. */
  readonly #moments: Random;
  /** What the person does. How often that is drawn depends on how fast the machine is. */
  readonly #choices: Random;
  readonly #scenarioFile: string;
  readonly #repositories = new Map<string, SampleRepository>();
  /** Every answer text that was ever given to a command, and whether the command said yes. */
  readonly answers = new Map<string, { readonly item: number; readonly isAccepted: boolean }>();
  readonly problems: string[] = [];
  /** Launches that a kill ended. */
  cut = 0;
  #taskCount = 0;
  #answerCount = 0;
  /** Lengths of the agents' log at each kill. */
  readonly #cuts: number[] = [];

  constructor(world: RelayWorld, seed: number) {
    this.#world = world;
    this.#moments = seededRandom(seed);
    this.#choices = seededRandom(seed + 1);
    this.#scenarioFile = path.join(world.home, '.scripted-claude.json');
  }

  async setUp(): Promise<void> {
    await writeFile(this.#scenarioFile, JSON.stringify(scenario()));
    await this.#world.json(['agent', 'set', 'claude', 'calls-per-day=1000000']);
    for (const name of PROJECTS) {
      const flags = [
        '--slots',
        '2',
        '--calls-per-day',
        '1000000',
        '--budget',
        '100000',
        '--max-call-usd',
        '1',
      ];
      const limits = ['--max-questions', '100', '--max-attempts', '100'];
      const repository = await this.#world.addProject(name, {
        withoutTests: true,
        files: { 'check.sh': 'sleep 0.2; ls work-*.txt\n' },
        flags: [...flags, ...limits, '--test', '["sh","check.sh"]'],
      });
      this.#repositories.set(name, repository);
    }
  }

  tasks(): Promise<TaskView[]> {
    return this.#world.json<TaskView[]>(['task', 'list']);
  }

  /** Keeps enough tasks open for the kills to hit something. */
  async addTasks(): Promise<void> {
    const open = (await this.tasks()).filter((task) => task.state !== 'done').length;
    for (let n = open; n < OPEN_TASKS && this.#taskCount < MOST_TASKS; n += 1) {
      const project = PROJECTS[this.#taskCount % PROJECTS.length] ?? 'h1-a';
      this.#taskCount = await this.#world.addTask(project, 'Write a file', 'Write the file; ask how.');
    }
  }

  /** One look at the inbox and one response to each open item. Commands may fail: the hub may die meanwhile. */
  async respond(share: number): Promise<void> {
    const listed = await this.#world.run(['inbox', '--json']);
    if (listed.exitCode !== 0 || !Array.isArray(listed.json)) return;
    const chosen = (listed.json as ItemView[]).filter(() => this.#choices.chance(share));
    await Promise.all(chosen.map((item) => this.#respondTo(item)));
  }

  async #respondTo(item: ItemView): Promise<void> {
    if (item.kind === 'specify') await this.#answer(item);
    else if (item.kind === 'approve') await this.#world.run(['approve', String(item.number), '--json']);
    else this.problems.push(`unexpected item ${item.number}: ${item.kind} ${item.cause} ${item.question}`);
  }

  async #answer(item: ItemView): Promise<void> {
    const mark = answerMark(item.cycle ?? 0, item.taskNumber ?? 0);
    const text = `Answer ${(this.#answerCount += 1)} to item ${item.number}: ${mark}`;
    const result = await this.#world.run(['answer', String(item.number), '--text', text, '--json']);
    this.answers.set(text, { item: item.number, isAccepted: result.exitCode === 0 });
  }

  /** One life of a hub, ended by SIGKILL at the drawn moment. */
  async liveAndDie(): Promise<void> {
    const world = this.#world;
    const isEarly = this.#moments.chance(EARLY_SHARE);
    const things = this.#moments.between(1, MOST_THINGS);
    const afterMs = this.#moments.between(0, isEarly ? LATEST_DURING_START_MS : LATEST_AFTER_THINGS_MS);
    const alsoGuardian = this.#moments.chance(0.15);
    const hub = world.spawnHub();
    let isOver = false;
    const person = (async () => {
      while (!isOver) await this.respond(0.7);
    })();
    if (!isEarly) await this.#untilDone(hub, things);
    await Promise.race([hub.ended, new Promise((resolve) => setTimeout(resolve, afterMs))]);
    if (alsoGuardian) await this.#killGuardian();
    await this.#crash(hub);
    isOver = true;
    await person;
    // Without its guardian the next hub must clean up; with it nothing may be left.
    if (!alsoGuardian) await world.untilNoProcess();
    this.#cuts.push((await this.#history()).log.length);
    if (this.#moments.chance(0.3)) await this.respond(0.5);
  }

  async #untilDone(hub: RunningHub, things: number): Promise<void> {
    await this.#untilBegun(hub);
    const aim = (this.#cuts.at(-1) ?? 0) + things;
    await waitUntil('the agents have done things', async () => (await this.#history()).log.length >= aim, {
      withinMs: LONGEST_LIFE_MS,
      everyMs: 20,
    }).catch(() => undefined);
  }

  #history(): Promise<AgentHistory> {
    return readHistory(this.#world.home, this.#scenarioFile);
  }

  /** The hub writes who it is once it owns the data and answers. */
  async #untilBegun(hub: RunningHub): Promise<void> {
    const file = path.join(this.#world.data, 'hub.json');
    await waitUntil(
      'the hub has begun',
      async () => (await readFile(file, 'utf8')).includes(`"pid":${hub.pid},`),
      { withinMs: LONGEST_START_MS },
    ).catch(() => this.problems.push('a hub took longer than 20 s to begin'));
  }

  async #crash(hub: RunningHub): Promise<void> {
    try {
      await hub.crash();
    } catch (error) {
      const { exitCode, stderr } = await hub.ended;
      this.problems.push(`the hub ended by itself: ${exitCode} ${stderr} (${String(error)})`);
    }
  }

  async #killGuardian(): Promise<void> {
    for (const { pid, command } of await this.#world.processes()) {
      if (!command.includes('guardian')) continue;
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
  }

  async lookAtLaunches(): Promise<void> {
    const { log } = await this.#history();
    const lives = [...this.#cuts, log.length].map((end, n) => log.slice(this.#cuts[n - 1] ?? 0, end));
    for (const session of overlappingLaunches(lives))
      this.problems.push(`two processes of session ${session} were alive at once`);
  }

  /** Trees of tasks that wait for a person are on disk and known to git. */
  async lookAtTrees(): Promise<void> {
    for (const task of await this.tasks()) {
      if (!['awaiting_human', 'awaiting_approval', 'testing'].includes(task.state)) continue;
      const listed = await this.#repositories.get(task.project)?.git('worktree', 'list', '--porcelain');
      const isThere = task.worktree !== null && (await exists(task.worktree));
      if (!isThere || listed?.includes(`worktree ${task.worktree}\n`) !== true)
        this.problems.push(`task ${task.number} (${task.state}) has lost its tree ${task.worktree}`);
    }
  }

  async verifyChain(): Promise<void> {
    const chain = await this.#world.json<ChainView>(['ledger', 'verify', '--full']);
    if (!chain.ok) this.problems.push(`the chain is broken at ${chain.brokenAt}`);
  }

  /** A hub that is left alone, and a person that answers all, until every task is done. */
  async finish(): Promise<void> {
    const hub = await this.#world.startHub();
    await this.#world.until(
      'every task is done',
      async () => {
        await this.respond(1);
        return this.problems.length > 0 || (await this.tasks()).every((task) => task.state === 'done');
      },
      FINISH_MS,
    );
    expect(this.problems).toEqual([]);
    expect(await hub.stop()).toBe(0);
    await this.#world.untilNoProcess();
  }

  /** Each answer that stands on an item is once in the history of its session, any other is nowhere. */
  async checkAnswers(): Promise<void> {
    const items = await this.#world.json<ItemView[]>(['inbox', '--all']);
    const { promptsBySession } = await this.#history();
    const prompts = [...promptsBySession.values()].flat();
    for (const [text, { item: number, isAccepted }] of this.answers) {
      const item = items.find((each) => each.number === number);
      const isStored = item?.answer === text;
      const count = prompts.filter((prompt) => prompt.includes(`\n${text}\n`)).length;
      if (isAccepted && !isStored) this.problems.push(`accepted and lost: ${text}`);
      if (count !== (isStored ? 1 : 0)) this.problems.push(`delivered ${count} times: ${text}`);
      if (isStored && item.delivery !== 'seen') this.problems.push(`not seen (${item.delivery}): ${text}`);
    }
    for (const prompt of new Set(prompts)) {
      const id = /^Signalbox message (\S+)/.exec(prompt)?.[1];
      const count = prompts.filter((other) => id !== undefined && other.includes(id)).length;
      if (count !== 1) this.problems.push(`delivery ${id} stands ${count} times in the histories`);
    }
  }

  async checkSessions(): Promise<void> {
    const { log } = await this.#history();
    const count = (event: string) => log.filter((entry) => entry.event === event).length;
    this.cut = count('launch') - count('end');
    process.stdout.write(
      `torture: ${this.#taskCount} tasks, ${this.answers.size} answers, ${count('launch')} launches, ${this.cut} cut\n`,
    );
    const tasks = await this.tasks();
    for (const entry of log) {
      if (entry.event !== 'launch') continue;
      const session = sessionOfLaunch(entry);
      const task = tasks.find((each) => entry.cwd.includes(each.id));
      if (session === null || task?.sessionId !== session)
        this.problems.push(
          `launched with session ${session}, but task ${task?.number} has ${task?.sessionId}`,
        );
    }
  }

  /** Disk, git and the database agree: all work is on main once, and no tree is left. */
  async checkWork(): Promise<void> {
    for (const task of await this.tasks()) {
      const repository = this.#repositories.get(task.project);
      const content = await repository?.show('main', fileOf(task.number)).catch(() => '(not there)');
      if (content !== `work of task ${task.number}`)
        this.problems.push(`work of task ${task.number} on main: ${content}`);
      if (task.countedAttempts !== 0)
        this.problems.push(`task ${task.number} counted ${task.countedAttempts} attempts`);
      if (task.worktree !== null) this.problems.push(`task ${task.number} still has ${task.worktree}`);
    }
    for (const [name, repository] of this.#repositories) {
      const trees = (await repository.git('worktree', 'list', '--porcelain'))
        .split('\n')
        .filter((line) => line.startsWith('worktree '));
      if (trees.length !== 1) this.problems.push(`${name} has trees left: ${trees.join(', ')}`);
      const status = await repository.git('status', '--porcelain');
      if (status !== '') this.problems.push(`${name} is dirty: ${status}`);
      await repository.git('fsck', '--strict', '--no-dangling');
    }
  }
}

test(
  `a hub that is killed ${KILLS} times loses nothing and does nothing twice (seed ${SEED})`,
  async () => {
    process.stdout.write(`torture: ${KILLS} kills, SIGNALBOX_TORTURE_SEED=${SEED}\n`);
    await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
    const torture = new Torture(world, SEED);
    await torture.setUp();
    for (let kill = 1; kill <= KILLS && torture.problems.length === 0; kill += 1) {
      await torture.addTasks();
      await torture.liveAndDie();
      if (kill % 10 === 0) {
        await torture.lookAtTrees();
        await torture.verifyChain();
      }
    }
    expect(torture.problems).toEqual([]);
    await torture.finish();
    await torture.checkAnswers();
    await torture.checkSessions();
    await torture.checkWork();
    await torture.verifyChain();
    expect(torture.problems).toEqual([]);
    expect(torture.answers.size).toBeGreaterThan(KILLS / 10);
  },
  MOST_MS,
);
