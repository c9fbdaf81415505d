import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { KillReceiptView } from '../../src-shared/api/hub.ts';
import { createGate } from '../support/model-server/gate.ts';
import { askPerson } from '../support/model-server/replies.ts';
import { byTurn } from '../support/model-server/script.ts';
import { waitUntil } from '../support/wait-until.ts';
import { makeRelayPlace, type RelayPlace } from './support/relay-place.ts';
import { driveToDone, onceAt, QUESTION, start, WORK } from './support/relay-steps.ts';

let place: RelayPlace;
beforeEach(async () => {
  place = await makeRelayPlace();
});
afterEach(async () => {
  await place[Symbol.asyncDispose]();
});

describe('the kill switch', () => {
  test('ends a running turn, stays engaged over a restart, and its session goes on after the release', async () => {
    const { world, model } = place;
    const gate = createGate();
    const { repository, task, hub } = await start(place, byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const receipt = await world.json<KillReceiptView>(['kill', '--reason', 'enough']);
    expect(receipt.alive).toEqual([]);
    expect(receipt.ended.length).toBeGreaterThan(0);
    expect((await world.processes()).filter(({ pid }) => receipt.ended.includes(pid))).toEqual([]);
    expect(await world.task(task)).toMatchObject({ state: 'ready', endedReason: 'cancelled by kill switch' });
    expect(await world.status()).toMatchObject({ killed: { reason: 'enough' } });

    expect(await hub.stop()).toBe(0);
    await world.startHub();
    expect(await world.status()).toMatchObject({ killed: { reason: 'enough' } });
    const requests = model.requests.length;
    const unconfirmed = await world.run(['release', '--json']);
    expect(unconfirmed.exitCode).toBe(2);
    expect(model.requests).toHaveLength(requests);

    await world.json(['release', '--yes']);
    expect(await world.status()).toMatchObject({ killed: null });
    await driveToDone(place, repository, task);
    const kinds = (await world.ledger('--kind', 'kill.')).map((entry) => entry.kind);
    expect(kinds.length).toBeGreaterThanOrEqual(2);
  });

  test('works by its file alone', async () => {
    const { world } = place;
    const gate = createGate();
    const { repository, task } = await start(place, byTurn(onceAt(gate, askPerson(QUESTION)), ...WORK));
    await gate.reached;
    const claude = (await world.processes()).filter(({ command }) => command.includes('--session-id'));
    expect(claude).toHaveLength(1);
    await writeFile(path.join(world.data, 'KILL'), 'by hand');
    await waitUntil(
      'the agent is dead',
      async () => (await world.processes()).every(({ pid }) => pid !== claude[0]?.pid),
      { withinMs: 3000 },
    );
    await world.until('the task is ready again', async () => (await world.task(task)).state === 'ready');
    expect(await world.status()).toMatchObject({ killed: { reason: 'by hand' } });
    await world.json(['release', '--yes']);
    await driveToDone(place, repository, task);
  });
});

test('a second hub on the same data is refused and names the first', async () => {
  const { world } = place;
  const hub = await world.startHub();
  const second = await world.run(['hub', '--json']);
  expect({ exitCode: second.exitCode, json: second.json }).toEqual({
    exitCode: 1,
    json: {
      error: expect.objectContaining({
        code: 'hub-running',
        message: expect.stringContaining(String(hub.pid)),
      }),
    },
  });
  expect(await world.status()).toMatchObject({ running: true, pid: hub.pid });
});
