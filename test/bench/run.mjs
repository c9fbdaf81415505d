// `npm run bench [P2 P5 …]`: measures, prints a table, writes out/bench.json. Exit 1 when a bar is missed.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import Table from 'cli-table3';

const root = path.resolve(import.meta.dirname, '../..');
execFileSync(process.execPath, [path.join(root, 'build/build-cli.mjs'), '--quiet'], { stdio: 'inherit' });

const BENCHES = [
  ['P2', './answer-to-request.ts', 'benchAnswerToRequest'],
  ['P5', './store.ts', 'benchStore'],
  ['P6', './window.ts', 'benchWindow'],
  ['P7', './hub-start.ts', 'benchHubStart'],
  ['P8', './idle-hub.ts', 'benchIdleHub'],
];
const asked = process.argv.slice(2);
const chosen = BENCHES.filter(([bar]) => asked.length === 0 || asked.includes(bar));
if (chosen.length === 0) {
  process.stderr.write(`Say which: ${BENCHES.map(([bar]) => bar).join(', ')}\n`);
  process.exit(2);
}

const rows = [];
for (const [bar, file, name] of chosen) {
  if (!existsSync(path.join(import.meta.dirname, file))) throw new Error(`${bar}: ${file} is not there.`);
  process.stderr.write(`measuring ${bar} …\n`);
  const module = await import(file);
  rows.push(...(await module[name]()));
}

const number = (value) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));
const table = new Table({
  head: ['bar', 'what', 'value', 'limit', 'ok', 'note'],
  style: { head: [], border: [] },
});
for (const row of rows) {
  const verdict = row.ok === null ? '–' : row.ok ? 'yes' : 'NO';
  table.push([row.bar, row.what, `${number(row.value)} ${row.unit}`, row.limit, verdict, row.note ?? '']);
}
process.stdout.write(`${table.toString()}\n`);

const machine = {
  system: `${os.type()} ${os.release()} ${os.arch()}`,
  cpus: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}`,
  memoryGb: Math.round(os.totalmem() / 2 ** 30),
  node: process.version,
};
await mkdir(path.join(root, 'out'), { recursive: true });
const file = path.join(root, 'out/bench.json');
await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2)}\n`);
process.stderr.write(`written to ${path.relative(root, file)}\n`);
process.exit(rows.some((row) => row.ok === false) ? 1 : 0);
