import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { RelayWorld, SCRIPTED_CLAUDE } from '../support/relay-world.ts';
import type { BenchRow } from './bench-row.ts';

const IDLE_MS = 60_000;
const SETTLE_MS = 5_000;
const CPU_LIMIT = 0.5;
/** Linux counts CPU time in these; getconf CLK_TCK says 100 on every system we know. */
const TICKS_PER_SECOND = 100;

interface Sample {
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly newestWrite: number;
}

async function sample(pids: readonly number[], folder: string): Promise<Sample> {
  let cpuMs = 0;
  let writtenBytes = 0;
  for (const pid of pids) {
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
    cpuMs += ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
    const io = await readFile(`/proc/${pid}/io`, 'utf8');
    writtenBytes += Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? NaN);
  }
  const files = await readdir(folder, { recursive: true });
  const times = await Promise.all(
    files.map(async (file) => (await stat(path.join(folder, file)).catch(() => null))?.mtimeMs ?? 0),
  );
  return { cpuMs, writtenBytes, newestWrite: Math.max(...times) };
}

/**
 * P8: a hub with a project and an open question, left alone for a minute. Counts all its processes; what it
 * writes is seen in the data folder's change times and in the bytes that the system counted for it.
 */
export async function benchIdleHub(): Promise<BenchRow[]> {
  await using world = await RelayWorld.create({ claude: SCRIPTED_CLAUDE });
  await world.addProject('bench', { withoutTests: true });
  const task = await world.addTask('bench', 'Ask', 'The scripted agent asks.');
  const hub = await world.startHub();
  await world.untilItem('specify', task);
  // The checkpoint after work is allowed: it is over by then.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const pids = (await world.processes()).map(({ pid }) => pid);
  const before = await sample(pids, world.data);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const after = await sample(pids, world.data);
  await hub.stop();

  const share = ((after.cpuMs - before.cpuMs) / IDLE_MS) * 100;
  const written = after.writtenBytes - before.writtenBytes;
  return [
    {
      bar: 'P8',
      what: 'CPU of an idle hub, its guardian included',
      value: share,
      unit: '%',
      limit: `< ${CPU_LIMIT}`,
      ok: share < CPU_LIMIT,
      note: `${pids.length} processes over ${IDLE_MS / 1000} s`,
    },
    {
      bar: 'P8',
      what: 'bytes written by an idle hub',
      value: written,
      unit: 'B',
      limit: '0',
      ok: written === 0 && after.newestWrite === before.newestWrite,
      note:
        after.newestWrite === before.newestWrite ? 'no file changed' : 'a file in the data folder changed',
    },
  ];
}
