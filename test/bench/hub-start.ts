import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { RelayWorld, SCRIPTED_CLAUDE } from '../support/relay-world.ts';
import type { BenchRow } from './bench-row.ts';
import { median } from './statistics.ts';

const ROUNDS = 11;
const LIMIT = 2;
const POLL_MS = 1;
const GIVE_UP_MS = 20_000;

/** One request; false while nobody listens. */
const ask = (socketPath: string, route: string): Promise<boolean> =>
  new Promise((resolve) => {
    const call = request({ socketPath, path: route, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    call.on('error', () => resolve(false));
    call.end();
  });

/** Milliseconds from the call until the first answer, asked in the same way of either program. */
async function untilAnswer(start: () => void, socketPath: string, route: string): Promise<number> {
  const startedAt = performance.now();
  start();
  while (!(await ask(socketPath, route))) {
    if (performance.now() - startedAt > GIVE_UP_MS)
      throw new Error(`Nobody answers ${route} at ${socketPath}.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return performance.now() - startedAt;
}

/** P7: start of the hub to its first API answer, against a bare script, in turns on the same machine. */
export async function benchHubStart(): Promise<BenchRow[]> {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  await world.addProject('bench', { withoutTests: true });
  const first = await world.startHub();
  const record = z
    .object({ socket: z.string() })
    .parse(JSON.parse(await readFile(path.join(world.data, 'hub.json'), 'utf8')));
  await first.stop();
  const database = (await readdir(world.data)).find((name) => /^signalbox.*\.(db|sqlite3?)$/.test(name));
  if (database === undefined) throw new Error(`No database in ${world.data}.`);
  const bareSocket = path.join(world.folder, 'run/bare.sock');
  const script = path.join(import.meta.dirname, 'bare-answerer.mjs');

  const hub: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await rm(bareSocket, { force: true });
    const abort = new AbortController();
    let ended: Promise<unknown> = Promise.resolve();
    const startBare = () => {
      ended = execa(process.execPath, [script, path.join(world.data, database), bareSocket], {
        env: world.environment,
        extendEnv: false,
        reject: false,
        cancelSignal: abort.signal,
      });
    };
    bare.push(await untilAnswer(startBare, bareSocket, '/'));
    abort.abort();
    await ended;

    let running: ReturnType<typeof world.spawnHub> | null = null;
    const startHub = () => {
      running = world.spawnHub();
    };
    hub.push(await untilAnswer(startHub, record.socket, '/hub.ping'));
    await (running as ReturnType<typeof world.spawnHub> | null)?.stop();
  }
  const value = median(hub) / median(bare);
  return [
    {
      bar: 'P7',
      what: 'start of the hub → first API answer',
      value,
      unit: '×',
      limit: `≤ ${LIMIT}`,
      ok: value <= LIMIT,
      note: `${median(hub).toFixed(0)} ms against ${median(bare).toFixed(0)} ms bare, medians of ${ROUNDS}`,
    },
  ];
}
