import type { ItemView } from '../../../../src-shared/api/item.ts';
import type { TaskView } from '../../../../src-shared/api/task.ts';
import { visibleLine } from '../../../../src-shared/visible-text.ts';
import { millis } from '../../../../src-shared/time.ts';
import type { Clock } from '../../../core/ports/world.ts';
import type { ApiClient } from '../connect.ts';

export interface DemoRelay {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly say: (text: string) => void;
  readonly isInteractive: boolean;
  /** Ids of the demo's tasks. */
  readonly tasks: readonly string[];
  /** Settles when the hub ends by itself. */
  readonly until: Promise<unknown>;
}

const LOOK_EVERY = millis(200);
/** A person thinks for a moment; the report then shows a waiting time. */
const THINK_MS = 1000;

const ENDED: ReadonlySet<TaskView['state']> = new Set(['done', 'failed', 'cancelled']);

/**
 * Plays the person until every task of the demo has ended: answers each question with its first option and approves
 * finished work. In the interactive demo it only tells what happens.
 *
 * @returns whether all of them are done
 */
export async function runDemoRelay(demo: DemoRelay): Promise<boolean> {
  const { client, clock, say } = demo;
  const seen = new Map<number, number>();
  const states = new Map<string, string>();
  let hubEnded = false;
  void demo.until.then(
    () => (hubEnded = true),
    () => (hubEnded = true),
  );
  while (!hubEnded) {
    const [items, tasks] = await Promise.all([client.inbox.list.query({}), client.task.list.query({})]);
    for (const task of tasks) {
      if (states.get(task.id) === task.state) continue;
      states.set(task.id, task.state);
      say(`  ${task.project}  task ${task.number}  ${task.state}`);
    }
    const own = tasks.filter((task) => demo.tasks.includes(task.id));
    if (own.every((task) => ENDED.has(task.state))) return own.every((task) => task.state === 'done');
    for (const item of items) {
      if (item.state !== 'open') continue;
      const first = seen.get(item.number);
      if (first === undefined) {
        seen.set(item.number, clock.now());
        say(describe(item));
      } else if (!demo.isInteractive && clock.now() - first >= THINK_MS) await decide(demo, item);
    }
    await new Promise<void>((resolve) => clock.after(LOOK_EVERY, resolve));
  }
  return false;
}

function describe(item: ItemView): string {
  const where = `${item.project ?? 'hub'}  item ${item.number}`;
  switch (item.kind) {
    case 'specify':
      return `  ${where}  ${item.raisedBy} asks: ${visibleLine(item.question)} [${item.options.map(visibleLine).join(' | ')}]`;
    case 'approve':
      return `  ${where}  finished work waits for approval`;
    case 'gate':
    case 'permission':
    case 'review':
    case 'manual':
      return `  ${where}  ${item.kind}: ${visibleLine(item.question)}`;
  }
}

async function decide(demo: DemoRelay, item: ItemView): Promise<void> {
  const { client, say } = demo;
  if (item.kind === 'specify') {
    const option = item.options[0];
    const reply =
      option === undefined
        ? ({ kind: 'text', text: 'Decide as you think best.' } as const)
        : ({ kind: 'option', option: '1' } as const);
    say(
      `  ${item.project ?? ''}  item ${item.number}  answered: ${visibleLine(reply.kind === 'text' ? reply.text : (option ?? ''))}`,
    );
    await client.inbox.answer.mutate({ item: String(item.number), reply });
  } else if (item.kind === 'approve') {
    say(`  ${item.project ?? ''}  item ${item.number}  approved`);
    await client.inbox.approve.mutate({ item: String(item.number) });
  } else throw new Error(`The demo stopped at item ${item.number}: ${visibleLine(item.question)}`);
}
