import { describe, expect, test } from 'vitest';
import type { DesktopApp, ShownNotification } from '../../electron-host/launch.ts';
import { ASKS, DesktopWorld, WORKS } from './desktop-world.ts';

const act = (app: DesktopApp, title: string, how: object): Promise<unknown> =>
  app.ask('actOnNotification', title, how);

async function withTask(rules: Parameters<typeof DesktopWorld.create>[0]) {
  const world = await DesktopWorld.create(rules);
  const app = await world.start({ args: ['--hidden'] });
  await world.relay.addProject('invoices', { withoutTests: true });
  const task = await world.relay.addTask('invoices', 'Round totals', 'Round them.');
  return { world, app, task, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

describe('notifications of the application', () => {
  test('a question is answered by a button, goes when it is, and the answer is confirmed', async () => {
    await using scene = await withTask([ASKS, WORKS]);
    const { app, world, task } = scene;
    const question = await app.notification('Question in invoices');
    expect(question).toMatchObject({
      body: 'The agent asks: Half up or half even?',
      actions: ['Half up', 'Half even'],
      hasReply: true,
    });
    await act(app, 'Question in invoices', { kind: 'action', action: 'Half even' });
    const approval = await app.notification('Ready for approval in invoices');
    const [answered] = await world.relay.inbox({ all: true });
    const all = await app.ask<readonly ShownNotification[]>('notifications');
    expect([answered?.answer, answered?.respondedVia, approval.body]).toEqual([
      'Half even',
      'notification',
      'Round totals. 1 file, no test command.',
    ]);
    expect(all.find((each) => each.title === 'Question in invoices')?.isClosed).toBe(true);
    expect(all.find((each) => each.title === `Sent to #${answered?.number}`)?.silent).toBe(true);

    const { number } = await world.relay.untilItem('approve', task);
    await world.relay.json(['approve', String(number)]);
    expect((await app.notification('Done in invoices')).body).toMatch(
      /^Round totals\. \$\d+\.\d\d estimate\.$/,
    );
  });

  test('a reply arrives whole', async () => {
    await using scene = await withTask([ASKS, WORKS]);
    const { app, world, task } = scene;
    await app.notification('Question in invoices');
    const text = 'Neither; "half" = ü 😀\nsecond line';
    await act(app, 'Question in invoices', { kind: 'reply', text });
    await world.relay.untilItem('approve', task);
    expect((await world.relay.inbox({ all: true })).map((item) => item.answer)).toContain(text);
  });

  test('a click opens the item', async () => {
    await using scene = await withTask([ASKS]);
    const { app, world, task } = scene;
    await app.notification('Question in invoices');
    const { number } = await world.relay.untilItem('specify', task);
    await act(app, 'Question in invoices', { kind: 'click' });
    await app.until('the item is shown', async () => {
      const [window] = await app.ask<readonly { url: string }[]>('windows');
      return window?.url.endsWith(`#/inbox/${number}`);
    });
  });

  test('what needs a person, and a limit, are told', async () => {
    await using scene = await withTask([{ steps: [{ do: 'api-error', error: 'not-logged-in' }] }]);
    expect((await scene.app.notification('On hold')).body).toBe('Claude Code needs a login.');
  });

  test('work that fails again and again is told', async () => {
    await using scene = await withTask([{ steps: [{ do: 'exit', code: 1, stderr: 'broken' }] }]);
    expect((await scene.app.notification('Needs you in invoices')).body).toBe('All attempts are used up.');
  });

  test('where none can be shown the window says so once, and the badge counts', async () => {
    await using world = await DesktopWorld.create([ASKS]);
    const app = await world.start();
    await app.page();
    await app.ask('breakNotifications', 'not signed');
    await app.ask('blurWindow');
    await world.relay.addProject('invoices', { withoutTests: true });
    await world.relay.addTask('invoices', 'Round totals', 'Round them.');
    await app.until('it says so', async () =>
      JSON.stringify(await app.ask('dialogs')).includes('This system shows no notifications'),
    );
    await app.until('the badge counts', async () => (await app.ask('badge')) === 1);
  });
});
