import type { TurnEvent } from '../../../src-main/core/ports/harness.ts';
import type { Project } from '../../../src-shared/model/project.ts';
import type { Task } from '../../../src-shared/model/task.ts';
import { question } from '../../support/engine-world.ts';
import type { InboxStand } from './inbox-stand.ts';

let calls = 0;

/** A call of a tool and what came back. */
export function toolEvents(
  name: string,
  input: Record<string, unknown>,
  result = 'ok',
): readonly TurnEvent[] {
  calls += 1;
  const id = `toolu_${calls}`;
  const file = typeof input['file_path'] === 'string' ? input['file_path'] : null;
  return [
    { kind: 'tool', id, name, input: JSON.stringify(input), path: file },
    { kind: 'tool-result', id, isError: false, text: result },
  ];
}

export const SESSION: TurnEvent = {
  kind: 'session',
  sessionId: '7f3a1c0e-0000-4000-8000-000000000000',
  model: 'claude-sonnet-4-5',
  version: '2.1.332',
  tools: ['Read', 'Edit'],
};

/** What an agent does in a turn that has not ended. */
export const WORK: readonly TurnEvent[] = [
  SESSION,
  { kind: 'assistant', text: 'I will read the invoice module and its tests first.' },
  ...['src/invoice/lines.ts', 'src/invoice/total.ts', 'test/invoice/gst.test.ts'].flatMap((file_path) =>
    toolEvents('Read', { file_path }),
  ),
  ...toolEvents('Edit', {
    file_path: 'test/invoice/gst.test.ts',
    old_string: 'expect(total).toBe(123);',
    new_string: 'expect(total).toBe(123.45);\nexpect(round(0.005)).toBe(0.01);',
  }),
  ...toolEvents('Grep', { pattern: 'roundLine\\(' }, '14 matches in 6 files'),
  { kind: 'denied', tool: 'Bash', reason: 'curl -s https://registry.example/rounding' },
  { kind: 'assistant', text: 'Credit notes used the old rounding as well, so I moved them to roundLine.' },
];

/** A task whose turn goes on until it is stopped. Its events are stored once this returns. */
export async function runs(
  stand: InboxStand,
  project: Project,
  title: string,
  events: readonly TurnEvent[] = WORK,
): Promise<Task> {
  const { world } = stand;
  world.executor.script.push({ hold: true, events });
  const task = world.addTask(project.id, title);
  await world.untilState(task.id, 'running');
  if (events.length > 0) {
    await world.until('its events are stored', () => world.stores.events.last(task.id) !== null);
  }
  return task;
}

/** A board with everything on it: running, waiting, queued, held, off and idle projects. */
export async function fillBoard(
  stand: InboxStand,
): Promise<{ readonly running: Task; readonly busy: Project }> {
  const { world } = stand;
  const busy = stand.project('invoice-service', { slots: 2 });
  const batch = stand.project('batch-scheduler', { slots: 2 });
  const portal = stand.project('claims-portal', { slots: 2 });
  for (const name of ['auth-proxy', 'fx-rates', 'pdf-render']) stand.project(name, { slots: 1 });
  stand.project('design-tokens', { slots: 1, isEnabled: false });
  stand.project('ledger-import', {
    slots: 1,
    isEnabled: false,
    disabledReason: 'Stopped: the agent changed .git/config, which is not allowed.',
  });
  await stand.asks(portal, 'Rename claim states in the export', 'Which names does the importer expect?', [
    'new',
    'old',
  ]);
  world.executor.script.push({ outcome: question('Should amounts stay in rupees?', ['yes', 'no']) });
  const asked = world.addTask(busy.id, 'Round line totals on invoices');
  await stand.untilOpen(asked);
  const running = await runs(stand, busy, 'Migrate currency codes');
  await runs(stand, busy, 'Write the rounding rules down', WORK.slice(0, 4));
  world.addTask(busy.id, 'Write rounding rules into docs/rounding.md');
  world.addTask(busy.id, 'Reject invoices without a due date');
  world.addTask(busy.id, 'Show the tax rate per line');
  await runs(stand, batch, 'Retry failed jobs with back-off', WORK.slice(0, 6));
  return { running, busy };
}
