import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { RelayWorld, SIGNALBOX } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

/** Plays a Claude Code that works on for ever and does not care about SIGTERM. */
const STUBBORN = `
const args = process.argv.slice(2);
if (args[0] === '--version') process.stdout.write('2.1.332 (Claude Code)\\n');
else if (args[0] === 'auth') process.stdout.write(JSON.stringify({ loggedIn: true, authMethod: 'test' }) + '\\n');
else {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
`;

/** A hub in the middle of a turn that does not end by itself. */
async function busyWorld() {
  const folder = makeTempFolder('stubborn');
  const claude = folder.join('claude.mjs');
  writeFileSync(claude, STUBBORN);
  const world = await RelayWorld.create({ claude });
  await world.addProject('shop');
  const task = await world.addTask('shop', 'Long', 'Work for ever.');
  const hub = await world.startHub();
  await world.until('the turn runs', async () => {
    const entries = await world.ledger('--kind', 'harness.start');
    return entries.length > 0;
  });
  return {
    world,
    task,
    hub,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      folder.dispose();
    },
  };
}

describe('a hub in the middle of a turn', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s interrupts the turn, keeps its session, leaves no process, and is exit 0',
    async (signal) => {
      await using busy = await busyWorld();
      process.kill(busy.hub.pid, signal);
      expect((await busy.hub.ended).exitCode).toBe(0);
      await busy.world.untilNoProcess();
      expect(await busy.world.task(busy.task)).toMatchObject({
        state: 'ready',
        countedAttempts: 0,
        sessionId: expect.any(String) as string,
      });
    },
  );

  test('a second Ctrl+C ends it at once with 130, and its children end as well', async () => {
    await using busy = await busyWorld();
    let exitCode: number | null | undefined;
    void busy.hub.ended.then((ended) => {
      exitCode = ended.exitCode;
    });
    await waitUntil(
      'the hub ended while Ctrl+C was pressed again and again',
      () => {
        if (exitCode === undefined) process.kill(busy.hub.pid, 'SIGINT');
        return exitCode !== undefined;
      },
      { everyMs: 50 },
    );
    expect(exitCode).toBe(130);
    await busy.world.untilNoProcess();
    expect((await busy.world.status()).running).toBe(false);
  });

  test('kill ends a turn that ignores SIGTERM, and says what it ended', async () => {
    await using busy = await busyWorld();
    expect(await busy.world.json(['kill', '--reason', 'Enough.'])).toMatchObject({ alive: [] });
    expect(await busy.world.task(busy.task)).toMatchObject({ state: 'ready' });
    const left = (await busy.world.processes()).filter((one) => one.command.includes('claude.mjs'));
    expect(left).toEqual([]);
  });
});

test('the bin loads on any Node: it has no static import', () => {
  for (const file of [SIGNALBOX, path.resolve('src-main/hosts/cli/signalbox.ts')]) {
    expect(readFileSync(file, 'utf8')).not.toMatch(/^\s*import[\s{*"'](?!\()/m);
  }
});
