import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { readHubRecord } from '../../../src-main/adapters/hub-lock/hub-record.ts';
import { connectLocally } from '../../../src-main/adapters/local-socket/client.ts';
import type { AppRouter } from '../../../src-main/api/router.ts';
import { RelayWorld, SCRIPTED_CLAUDE, SIGNALBOX } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';

const logOf = (data: string): string =>
  readdirSync(path.join(data, 'logs'))
    .map((name) => readFileSync(path.join(data, 'logs', name), 'utf8'))
    .join('');

test('a hub whose files were taken away answers every kind of question, and tells changes', async () => {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  // Below the checkout, as the packages it needs are found from there, and laid out like it.
  const folder = mkdtempSync(path.join(path.dirname(path.dirname(SIGNALBOX)), 'copy-'));
  const copy = path.join(folder, 'out/cli');
  cpSync(path.dirname(SIGNALBOX), copy, { recursive: true });
  const hub = execa(process.execPath, [path.join(copy, 'signalbox.js'), 'hub'], {
    cwd: world.folder,
    env: world.environment,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  try {
    const socket = await waitUntil('the hub has written where it listens', () =>
      Promise.resolve(readHubRecord(world.data)?.socket),
    );
    const caller = { name: 'test', via: 'cli', isAgent: false };
    const { client, close } = await connectLocally<AppRouter>({
      path: socket,
      caller,
      subscriptions: true,
    });
    await waitUntil('the hub has loaded its parts', () =>
      Promise.resolve(logOf(world.data).includes('all parts are loaded')),
    );
    rmSync(path.join(copy, 'chunks'), { recursive: true });

    const first = Promise.withResolvers<unknown>();
    const following = client.hub.changes.subscribe({}, { onData: first.resolve, onError: first.reject });
    await client.hub.pause.mutate({});
    expect(await first.promise).toBeDefined();
    following.unsubscribe();
    expect((await client.hub.doctor.query()).checks.length).toBeGreaterThan(3);
    expect(await client.board.show.query()).toMatchObject({ projects: [] });
    expect(await client.files.folders.query({ path: world.home })).toBeDefined();
    expect(await client.report.relay.query({})).toMatchObject({ tasks: [] });
    expect(await client.ledger.verify.query({})).toMatchObject({ ok: true });
    await close();
  } finally {
    hub.kill('SIGTERM');
    await hub;
    rmSync(folder, { recursive: true, force: true });
  }
});
