// Pictures of the window for docs/desktop.md: starts the demo with its scripted agent, serves its window on this
// machine, and writes PNGs to docs/images, or to the folder after `--out`. Needs a build and Chromium.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outAt = process.argv.indexOf('--out');
const out = path.resolve(root, outAt === -1 ? 'docs/images' : process.argv[outAt + 1]);
const CHROMIUM = process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium';
const SIZE = { width: 1280, height: 820 };
/** The demo is slow on a busy machine, and its two questions come one after the other. */
const PATIENCE_MS = 60_000;

/** Starts one of our programs; `said` resolves with the first match in what it prints. */
function start(words, env) {
  const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const waiting = new Set();
  child.stdout.setEncoding('utf8').on('data', (part) => {
    text += part;
    for (const look of waiting) look();
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const said = (pattern) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(text);
        if (match !== null) resolve(match);
      };
      waiting.add(look);
      look();
      void ended.then(() =>
        reject(new Error(`${words.join(' ')} ended before it said ${pattern}:\n${text}`)),
      );
    });
  return {
    said,
    async stop() {
      if (child.exitCode === null) child.kill('SIGINT');
      await ended;
    },
  };
}

const demo = start(['out/cli/demo.js', '--interactive'], process.env);
let [serve, browser, home] = [null, null, null];
try {
  [, home] = await demo.said(/SIGNALBOX_HOME=(\S+)/);
  serve = start(['out/cli/signalbox.js', 'serve', '--no-hub', '--port', '0'], {
    ...process.env,
    SIGNALBOX_HOME: home,
  });
  const [link] = await serve.said(/http:\/\/\S+#token=\S+/);
  browser = await chromium.launch({
    ...(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
  const page = await browser.newPage({ viewport: SIZE, locale: 'en-GB', reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(link);
  const items = page.getByRole('listbox', { name: 'Inbox items' }).getByRole('option');
  await items.nth(1).waitFor();
  await items.first().click();
  mkdirSync(out, { recursive: true });
  const shoot = async (name, colorScheme = 'light') => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: path.join(out, `${name}.png`) });
  };
  await page.getByRole('group', { name: 'Answer options' }).waitFor();
  await shoot('inbox');
  await shoot('inbox-dark', 'dark');
  await page.getByRole('link', { name: 'Board' }).click();
  await page.getByRole('region', { name: 'h1-a' }).waitFor();
  await shoot('board');
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByRole('img', { name: /^Cost per day/ }).waitFor();
  await page.getByText('Chain verified').waitFor();
  await shoot('ledger');
} finally {
  await browser?.close();
  await serve?.stop();
  await demo.stop();
  // The demo leaves what a person might still want; these were nobody's.
  if (home !== null) rmSync(path.dirname(home), { recursive: true, force: true, maxRetries: 5 });
}
