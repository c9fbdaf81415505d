import { expect } from 'vitest';
import type { ChainView } from '../../../src-shared/api/ledger.ts';
import type { Gate } from '../../support/model-server/gate.ts';
import { finish, type Reply } from '../../support/model-server/replies.ts';
import { scenarioTag, type Script } from '../../support/model-server/script.ts';
import type { RunningHub } from '../../support/relay-world.ts';
import type { SampleRepository } from '../../support/sample-repositories.ts';
import { ROUND_TOTAL, type RelayPlace } from './relay-place.ts';

export const QUESTION = 'Which rounding?';
export const ANSWER = 'Two places, please.';
/** What an agent does once it has its answer. */
export const WORK = [...ROUND_TOTAL, finish('Rounds to two places.')] as const;

/** The first reply comes at the gate; when the request is repeated after the crash, the gate is passed by. */
export function onceAt(gate: Gate, reply: Reply): Script {
  let isFirst = true;
  return () => {
    if (!isFirst) return reply;
    isFirst = false;
    return { ...reply, before: gate } as Reply;
  };
}

/** A project with one task in it, whose agent follows the script, and a hub that starts it. */
export async function start(
  { world, model }: RelayPlace,
  script: Script,
  options: Parameters<RelayPlace['world']['addProject']>[1] = {},
) {
  model.script('crash', script);
  const repository = await world.addProject('h1-a', options);
  const task = await world.addTask('h1-a', 'Round', `Round the totals. ${scenarioTag('crash')}`);
  return { repository, task, hub: await world.startHub() };
}

/** Kills the hub alone, and proves that everything it had started goes with it. */
export async function crash({ world }: RelayPlace, hub: RunningHub): Promise<void> {
  await hub.crash();
  await world.untilNoProcess();
}

/** Answers and approves whatever comes until the task is done; then looks at what the model was told. */
export async function driveToDone(
  { world, model }: RelayPlace,
  repository: SampleRepository,
  task: number,
): Promise<void> {
  await world.until('the task is done', async () => {
    for (const item of await world.inbox()) {
      if (item.kind === 'specify') await world.json(['answer', String(item.number), '--text', ANSWER]);
      else if (item.kind === 'approve') await world.json(['approve', String(item.number)]);
      else throw new Error(`unexpected item: ${item.kind} ${item.cause} ${item.question}`);
    }
    return (await world.task(task)).state === 'done';
  });
  expect(await repository.show('main', 'invoice.py')).toContain('round(sum(items), 2)');
  const requests = model.requestsOf('crash');
  expect(new Set(requests.map((request) => request.sessionId)).size).toBe(1);
  const texts = requests.at(-1)?.userTexts ?? [];
  expect(texts.filter((text) => text.includes(scenarioTag('crash')))).toHaveLength(1);
  expect(texts.filter((text) => text.includes(`\n${ANSWER}\n`))).toHaveLength(1);
  expect(await world.task(task)).toMatchObject({ state: 'done', countedAttempts: 0, questions: 1 });
  expect(await world.json<ChainView>(['ledger', 'verify', '--full'])).toMatchObject({ ok: true });
}
