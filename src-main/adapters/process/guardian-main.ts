/**
 * The guardian: the small process that outlives a hub by the two seconds which it takes to end what that hub had
 * started (12-engine, Processes). It is a program of its own, `out/cli/guardian.js`, started by `guardian.ts`, and
 * imports only Node's own modules and the process table, so that it is up in the time that Node takes.
 *
 * It lives in a session of its own, so that a closed terminal or Ctrl+C does not reach it, and carries no owner
 * mark, so that no stop takes it for a leftover. The hub's end is the end of its input: the system closes the pipe
 * however the hub dies.
 */
import { rmSync } from 'node:fs';
import { createKillFile } from '../kill-file.ts';
import { systemClock } from '../system-clock.ts';
import { writeFileAtomicSync } from '../write-file.ts';
import {
  parseLine,
  presenceFile,
  READY_LINE,
  type GuardianLine,
  type GuardianPresence,
} from './guardian-protocol.ts';
import { createGuardianWatch, writeReceipt } from './guardian-watch.ts';
import { OWNER_VARIABLE } from './process-rows.ts';
import { createProcessSource, createProcessTable } from './process-table.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The hub reads one line; afterwards nobody may be there.
process.stdout.on('error', () => undefined);
delete process.env[OWNER_VARIABLE];

type Hello = Extract<GuardianLine, { kind: 'hello' }>;

async function guard(hello: Hello, lines: AsyncIterator<GuardianLine>): Promise<void> {
  const { hub, hubPid, dataFolder } = hello;
  const source = createProcessSource();
  const table = createProcessTable({ clock: systemClock, source, spare: () => [hubPid] });
  const presence = presenceFile(dataFolder);
  const self: GuardianPresence = {
    pid: process.pid,
    processStart: (await source.row(process.pid))?.start ?? '',
    hubPid,
    hubStart: (await source.row(hubPid))?.start ?? null,
  };
  writeFileAtomicSync(presence, JSON.stringify(self));
  const watch = createGuardianWatch({
    hub,
    clock: systemClock,
    table,
    killFile: createKillFile(dataFolder, systemClock),
    orderOf: (start) => source.orderOf(start),
    book: (receipt) => writeReceipt(dataFolder, receipt),
  });
  process.stdout.write(READY_LINE);
  for (;;) {
    const next = await lines.next();
    if (next.done === true || next.value.kind === 'bye') break;
    watch.take(next.value);
  }
  await watch.finish();
  watch.dispose();
  rmSync(presence, { force: true });
}

/** The hub's lines, to the end of the pipe; a broken pipe is an end. */
async function* readLines(): AsyncGenerator<GuardianLine> {
  let rest = '';
  process.stdin.setEncoding('utf8');
  try {
    for await (const chunk of process.stdin) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        const line = parseLine(text);
        if (line !== null) yield line;
      }
    }
  } catch {
    // As good as an end.
  }
}

const lines = readLines();
const first = await lines.next();
if (first.done !== true && first.value.kind === 'hello') await guard(first.value, lines);
process.exit(0);
