import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../electron-host/launch.ts';
import { ASKS, DesktopWorld, HANGS } from './desktop-world.ts';

describe('the tray', () => {
  test('shows what waits, and a click opens that item', async () => {
    await using world = await DesktopWorld.create([ASKS]);
    const app = await world.start();
    await world.relay.addProject('invoices', { withoutTests: true });
    const task = await world.relay.addTask('invoices', 'Round totals', 'Round them.');
    const { number } = await world.relay.untilItem('specify', task);
    await app.click(`item-${number}`);
    await app.until('the item is shown', async () => {
      const [window] = await app.ask<readonly { url: string; isFocused: boolean }[]>('windows');
      return window?.isFocused && window.url.endsWith(`#/inbox/${number}`);
    });
    const tray = await app.tray();
    expect([tray.toolTip, path.basename(tray.image), await app.ask('badge')]).toEqual([
      'Signalbox: 0 running, 1 waiting for you',
      'tray-waiting-Template.png',
      1,
    ]);
  });

  test('changes the slots of a project, and switches it off and on', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    const repository = await world.relay.addProject('invoices', { withoutTests: true });
    const id = await app.until('the project is there', async () =>
      entriesOf((await app.tray()).menu)
        .find((entry) => entry.id?.startsWith('project-'))
        ?.id?.replace('project-', ''),
    );
    const chosen = async (): Promise<readonly (string | undefined)[]> =>
      entriesOf((await app.tray()).menu)
        .filter((entry) => entry.checked)
        .map((entry) => entry.label);
    await app.click(`slots-${id}-5`);
    await app.until('five slots are chosen', async () => (await chosen()).includes('5 slots'));
    await app.click(`enabled-${id}`);
    await app.until('it is off', async () => !(await chosen()).includes('Enabled'));
    await app.click(`enabled-${id}`);
    await app.until('it is on', async () => (await chosen()).includes('Enabled'));
    await app.click(`folder-${id}`);
    const [project] = (await world.relay.status()).projects;
    expect([project?.slots, project?.enabled, await app.ask('opened')]).toEqual([5, true, [repository.path]]);
  });

  test('stops a running agent by the kill switch, and releases it only after a question', async () => {
    await using world = await DesktopWorld.create([HANGS]);
    const app = await world.start();
    await world.relay.addProject('invoices', { withoutTests: true });
    await world.relay.addTask('invoices', 'Never ends', 'Go on.');
    await app.until('the agent runs', async () => (await app.tray()).toolTip.includes('1 running'));
    const agent = await app.until('its process is there', async () =>
      (await world.relay.processes()).find((each) => each.command.includes('scripted-claude')),
    );
    expect(await app.ask('isAwake')).toBe(true);

    await app.click('kill');
    await app.until('the agent is dead', async () =>
      (await world.relay.processes()).every((each) => each.pid !== agent.pid),
    );
    const notice = await app.notification('Everything is stopped');
    expect([notice.body, path.basename((await app.tray()).image)]).toEqual([
      expect.stringMatching(/^\d+ process(es)? ended, 0 still alive\.$/),
      'tray-killed-Template.png',
    ]);

    await app.ask('answerNextDialog', 0);
    await app.click('release');
    expect((await world.relay.status()).killed).not.toBeNull();
    await app.ask('answerNextDialog', 1);
    await app.click('release');
    await app.until('it is released, and paused', async () => {
      const status = await world.relay.status();
      return status.killed === null && status.paused;
    });
    expect(await app.ask('isAwake')).toBe(false);
  });
});
