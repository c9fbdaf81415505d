import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DesktopApp } from '../../electron-host/launch.ts';
import { DesktopWorld, HANGS } from './desktop-world.ts';

/** A task whose agent runs and never ends, and what runs for it. */
async function running() {
  const world = await DesktopWorld.create([HANGS]);
  const app = await world.start();
  await world.relay.addProject('invoices', { withoutTests: true });
  const task = await world.relay.addTask('invoices', 'Never ends', 'Go on.');
  await app.until('the agent runs', async () => (await app.tray()).toolTip.includes('1 running'));
  const pidOf = (word: string): Promise<number> =>
    app.until(`a process of ${word}`, async () => {
      const all = await world.relay.processes();
      return all.find((each) => each.command.includes(word))?.pid;
    });
  const agent = await pidOf('scripted-claude');
  const guardian = await pidOf('guardian');
  const hub = await app.ask<number>('utilityPid');
  const frozen: number[] = [];
  return {
    world,
    app,
    task,
    killFile: path.join(world.relay.data, 'KILL'),
    isAgentAlive: async () => (await world.relay.processes()).some((each) => each.pid === agent),
    hub,
    /** Neither the hub nor the guardian can do anything from now on. */
    freeze: () => {
      for (const pid of [guardian, hub]) {
        process.kill(pid, 'SIGSTOP');
        frozen.push(pid);
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const pid of frozen) {
        try {
          process.kill(pid, 'SIGCONT');
        } catch {
          // Ended by what was tested.
        }
      }
      await world[Symbol.asyncDispose]();
    },
  };
}

const iconOf = async (app: DesktopApp): Promise<string> => path.basename((await app.tray()).image);

describe('the kill switch without a hub that answers', () => {
  test('the window stops everything while the hub hangs; then the hub is started again, and stays stopped', async () => {
    await using scene = await running();
    const { app, world, task } = scene;
    const page = await app.page();
    scene.freeze();
    await page.getByRole('button', { name: 'Kill switch' }).click();
    await app.until('the agent is dead', async () => !(await scene.isAgentAlive()));
    await page
      .getByRole('status')
      .getByText(/process(es)? ended/)
      .waitFor({ timeout: 20_000 });
    const notice = await app.notification('Everything is stopped');
    expect([existsSync(scene.killFile), notice.body, await iconOf(app)]).toEqual([
      true,
      expect.stringMatching(/^No hub answered\. \d+ process(es)? ended, 0 still alive\.$/),
      'tray-killed-Template.png',
    ]);

    await app.click('restart-hub');
    await app.click('release');
    const status = await world.relay.status();
    expect([status.killed === null, status.running]).toEqual([false, true]);
    expect((await world.relay.untilTask(task, ['ready'])).endedReason).not.toBeNull();
  });

  test('the tray stops everything while the hub hangs, and quitting leaves nothing of it', async () => {
    await using scene = await running();
    const { app, world } = scene;
    scene.freeze();
    await app.click('kill');
    await app.until('the agent is dead', async () => !(await scene.isAgentAlive()));
    expect(readFileSync(scene.killFile, 'utf8')).toBe('');
    await app.until('the tray says so', async () => (await app.tray()).toolTip.includes('does not answer'));
    await app.click('quit');
    expect(await app.exit).toBe(0);
    expect((await world.relay.processes()).map((each) => each.pid)).not.toContain(scene.hub);
  });

  test('with no hub at all the file is written, and the next hub finds it', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    await world.killHubUntilGivenUp(app);
    await app.until('the tray says so', async () => (await app.tray()).toolTip.includes('has ended'));
    await app.click('kill');
    await app.until(
      'the tray shows the stop',
      async () => (await iconOf(app)) === 'tray-killed-Template.png',
    );
    expect(existsSync(path.join(world.relay.data, 'KILL'))).toBe(true);
    await app.click('start-hub');
    await app.click('release');
    expect((await world.relay.status()).killed).not.toBeNull();
  });

  test('a press that no hub heard does not stop the next one after a release', async () => {
    await using world = await DesktopWorld.create();
    const hub = await world.relay.startHub();
    const app = await world.start();
    await hub.stop();
    await app.until('the tray says so', async () => (await app.tray()).toolTip.includes('has ended'));
    await app.click('kill');
    await app.notification('Everything is stopped');
    await world.relay.json(['release', '--yes']);
    await app.click('start-hub');
    await app.until('the hub answers', async () => (await app.tray()).toolTip.includes('0 running'));
    expect((await world.relay.status()).killed).toBeNull();
  });
});
