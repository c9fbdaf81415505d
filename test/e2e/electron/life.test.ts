import { describe, expect, test } from 'vitest';
import { ASKS, DesktopWorld, HANGS } from './desktop-world.ts';

describe('the life of the application', () => {
  test('a hidden start shows no window', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start({ args: ['--hidden'] });
    expect(await app.ask('windows')).toEqual([]);
    await app.click('status');
    await app.page();
  });

  test('where no panel shows icons the window is there after a hidden start, and closing it quits', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start({ args: ['--hidden'], platform: 'linux' });
    await app.page();
    await app.ask('closeWindow');
    expect(await app.exit).toBe(0);
  });

  test('quitting while an agent runs asks; then it stops cleanly and the session stays', async () => {
    await using world = await DesktopWorld.create([HANGS]);
    const app = await world.start();
    await world.relay.addProject('invoices', { withoutTests: true });
    const task = await world.relay.addTask('invoices', 'Never ends', 'Go on.');
    await app.until('the agent runs', async () => (await app.tray()).toolTip.includes('1 running'));

    await app.ask('answerNextDialog', 0);
    await app.click('quit');
    await app.until('it asked', async () =>
      JSON.stringify(await app.ask('dialogs')).includes('1 agent is running.'),
    );
    expect((await world.relay.task(task)).state).toBe('running');

    await app.ask('answerNextDialog', 1);
    await app.click('quit');
    expect(await app.exit).toBe(0);
    await world.relay.untilNoProcess();
    const stopped = await world.relay.task(task);
    expect([stopped.state, stopped.sessionId === null]).toEqual(['ready', false]);
  });

  test('a signal ends it without a question', async () => {
    await using world = await DesktopWorld.create([HANGS]);
    const app = await world.start();
    await world.relay.addProject('invoices', { withoutTests: true });
    await world.relay.addTask('invoices', 'Never ends', 'Go on.');
    await app.until('the agent runs', async () => (await app.tray()).toolTip.includes('1 running'));
    app.terminate();
    expect(await app.exit).toBe(0);
    await world.relay.untilNoProcess();
  });

  test('a hub process that dies is started again, and the window goes on', async () => {
    await using world = await DesktopWorld.create([ASKS]);
    const app = await world.start();
    const page = await app.page();
    const pid = await app.ask<number>('utilityPid');
    process.kill(pid, 'SIGKILL');
    await app.until('there is another', async () => {
      const next = await app.ask<number | null>('utilityPid');
      return next !== null && next !== pid;
    });
    await world.relay.until('the new hub answers', async () => (await world.relay.status()).running);
    await world.relay.addProject('invoices', { withoutTests: true });
    await world.relay.addTask('invoices', 'Round totals', 'Round them.');
    // Without a project it stood on the first steps.
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('option', { name: /Round totals/ }).waitFor({ timeout: 20_000 });
  });

  test('one that dies again and again is given up, which is said, and can be started from the tray', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    await world.killHubUntilGivenUp(app);
    await app.until('it says so', async () =>
      JSON.stringify(await app.ask('dialogs')).includes('ended unexpectedly several times'),
    );
    await app.click('start-hub');
    await app.until('the hub answers', async () => (await app.tray()).toolTip.includes('0 running'));
  });

  test('where a hub runs already it is a client of that one, and quitting leaves it alone', async () => {
    await using world = await DesktopWorld.create([ASKS]);
    const hub = await world.relay.startHub();
    const app = await world.start({ args: ['--hidden'] });
    expect((await app.tray()).menu.map((entry) => entry.label)).toContain(
      `The hub is another program: hub, pid ${hub.pid}`,
    );
    await world.relay.addProject('invoices', { withoutTests: true });
    await world.relay.addTask('invoices', 'Round totals', 'Round them.');
    await app.notification('Question in invoices');
    await app.click('quit');
    expect(await app.exit).toBe(0);
    expect((await world.relay.status()).running).toBe(true);
  });

  test('when that hub ends, the tray offers to take over', async () => {
    await using world = await DesktopWorld.create();
    const hub = await world.relay.startHub();
    const app = await world.start();
    await hub.stop();
    await app.click('start-hub');
    await app.until('the hub is ours', async () => {
      const status = await world.relay.status();
      return status.running && status.host === 'desktop';
    });
  });
});
