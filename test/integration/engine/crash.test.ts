import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Stores } from '../../../src-main/core/ports/stores.ts';
import { EngineWorld, FakeExecutor, PERSON, done, exited, question } from '../../support/engine-world.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import type { TempFolder } from '../../support/temp-folder.ts';

let folder: TempFolder;
beforeEach(() => {
  folder = makeTempFolder('crash');
});
afterEach(() => folder.dispose());

class Crash extends Error {}

/** Counts outermost writes and "dies" just before the nth: from then on every call throws. */
function dyingAt(n: number): {
  readonly wrap: (stores: Stores) => Stores;
  readonly writes: () => number;
  readonly isDead: () => boolean;
} {
  let writes = 0;
  let isDead = false;
  let depth = 0;
  const READS =
    /^(get|list|count|of|by|page|transcript|last|head|verify|all|running|live|stored|open|current|latest|booked|reserved|callsOn|endOf|greatest)/;
  const guard = <T>(isWrite: boolean, work: () => T): T => {
    if (isDead) throw new Crash('dead');
    if (!isWrite || depth > 0) return work();
    writes += 1;
    if (writes === n) {
      isDead = true;
      throw new Crash('dead');
    }
    depth += 1;
    try {
      return work();
    } finally {
      depth -= 1;
    }
  };
  const wrapNoun = (noun: object): object =>
    new Proxy(noun, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) =>
          guard(!READS.test(String(key)), () => Reflect.apply(value, target, args) as unknown);
      },
    });
  return {
    writes: () => writes,
    isDead: () => isDead,
    wrap: (stores) =>
      new Proxy(stores, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key);
          if (key === 'transaction') {
            return <T>(work: () => T): T => guard(true, () => target.transaction(work));
          }
          if (typeof value === 'function') return value.bind(target) as unknown;
          return typeof value === 'object' && value !== null ? wrapNoun(value) : value;
        },
      }),
  };
}

const ANSWER = 'two places please';

/** A person who answers and approves whatever is open. */
function act(world: EngineWorld): void {
  for (const item of world.open()) {
    if (item.kind === 'specify') world.core.inbox.answer(item.number, ANSWER, PERSON);
    else if (item.kind === 'approve') world.core.inbox.approve(item.number, {}, PERSON);
    else throw new Error(`unexpected ${item.kind} item: ${item.question}`);
  }
}

/** Runs until the task is done or the world died. */
async function drive(world: EngineWorld, isDead: () => boolean): Promise<'done' | 'dead'> {
  for (let round = 0; round < 4000; round += 1) {
    if (isDead()) return 'dead';
    try {
      act(world);
      const task = world.stores.tasks.list()[0];
      if (task?.state === 'done') return 'done';
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  throw new Error(
    `neither done nor dead: ${world.stores.tasks.list()[0]?.state}; ${world.errors.join('; ')}`,
  );
}

/** Asks until it was answered, then is done, whatever the number of calls; notes two live processes in one session. */
class PatientExecutor extends FakeExecutor {
  readonly faults: string[] = [];
  private readonly liveSessions = new Set<string>();

  override async launch(request: Parameters<FakeExecutor['launch']>[0]) {
    const { sessionId } = request;
    if (this.liveSessions.has(sessionId)) this.faults.push(`two live processes in ${sessionId}`);
    this.liveSessions.add(sessionId);
    const launched = await super.launch(request);
    if (launched.kind === 'launched')
      void launched.turn.outcome.then(() => this.liveSessions.delete(sessionId));
    return launched;
  }

  protected override outcomeFor(prompt: string) {
    const wasAnswered = prompt.includes(ANSWER) || this.sent.some((each) => each.prompt.includes(ANSWER));
    return wasAnswered ? done() : question();
  }
}

async function scenario(n: number): Promise<{ readonly writes: number; readonly died: boolean }> {
  const path = folder.join(String(n));
  const executor = new PatientExecutor();
  const death = dyingAt(n);
  const first = new EngineWorld(path, { seed: 1, executor, wrap: death.wrap });
  first.commands.outcomes = [exited(0)];
  const project = first.addProject({
    settings: { testCommand: ['true'], budgetUsd: 100, maxAttempts: 1, maxQuestions: 1 },
  });
  let died = false;
  try {
    await first.engine.start();
    first.addTask(project.id);
    died = (await drive(first, death.isDead)) === 'dead';
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    died = true;
  }
  if (!died) {
    await first.dispose();
    return { writes: death.writes(), died };
  }
  first.crash();
  const second = new EngineWorld(path, { seed: 2, executor });
  if (second.stores.tasks.count() === 0) second.addTask(project.id);
  await second.engine.start();
  await drive(second, () => false);
  const answered = executor.sent.filter((each) => each.prompt.includes(ANSWER));
  expect({
    n,
    answers: answered.length,
    sessions: new Set(executor.sent.map((each) => each.request.sessionId)).size,
  }).toEqual({
    n,
    answers: 1,
    sessions: 1,
  });
  expect(executor.faults).toEqual([]);
  expect(second.stores.ledger.verify({ full: true })).toMatchObject({ ok: true });
  expect(second.stores.turns.running()).toEqual([]);
  expect(second.stores.launches.live()).toEqual([]);
  expect(second.stores.items.list({ kinds: ['specify'] }).map((item) => item.delivery)).toEqual(['seen']);
  await second.dispose();
  return { writes: death.writes(), died };
}

test('a hub that dies before any single write of a relay run ends like one that never died', async () => {
  let deaths = 0;
  // The first two writes are the test's own: the agent registry and the project.
  for (let n = 3; ; n += 1) {
    const { died } = await scenario(n);
    if (!died) break;
    deaths += 1;
  }
  expect(deaths).toBeGreaterThan(20);
}, 240_000);
