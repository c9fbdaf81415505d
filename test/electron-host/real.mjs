// The built application in Electron itself, as far as a machine without a person can look: it starts, its hub answers
// through the preload, its page gets nothing else, and it ends. `node test/electron-host/real.mjs BINARY`
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron } from '@playwright/test';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'signalbox-electron-'));
const data = path.join(folder, 'data');
mkdirSync(data, { mode: 0o700 });
const app = await _electron.launch({
  executablePath: process.argv[2],
  args: [path.join(root, 'out/main/main.js')],
  env: { ...process.env, SIGNALBOX_HOME: data },
});
try {
  const page = app.windows()[0] ?? (await app.waitForEvent('window'));
  await page.getByRole('link', { name: 'Inbox' }).waitFor();
  assert.match(page.url(), /^app:\/\/bundle\/index\.html/);
  const answer = await page.evaluate(() => globalThis.signalbox.call('query', 'hub.ping', undefined));
  assert.equal(answer.ok, true);
  const leaks = await page.evaluate(() =>
    ['require', 'process', 'module'].filter((name) => name in globalThis),
  );
  assert.deepEqual(leaks, []);
  process.stdout.write('Electron: the window, its hub and its preload work.\n');
} finally {
  await app.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
