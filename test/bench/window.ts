import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from '@playwright/test';
import type { TurnEvent } from '../../src-main/core/ports/harness.ts';
import type { Task } from '../../src-shared/model/task.ts';
import buildWindow, { WINDOW_FOLDER } from '../e2e/support/build-window.ts';
import { InboxStand } from '../e2e/support/inbox-stand.ts';
import type { BenchRow } from './bench-row.ts';
import { median } from './statistics.ts';

const EVENTS = 100_000;
const BATCH = 5000;
const FEW = 20;
const ROUNDS = 7;
const OPEN_LIMIT_MS = 300;
const FRAME_LIMIT_MS = 50;
const FRAMES = 600;
const SCRIPT_LIMIT = 250_000;
const LAST = 'The last line of all.';

/** What a busy agent does: says, reads, edits, and gets answers. */
function eventOf(index: number): TurnEvent {
  const id = `toolu_${index - (index % 2)}`;
  switch (index % 8) {
    case 0:
      return {
        kind: 'assistant',
        text: `Step ${index}: I look at the callers before I change anything here.`,
      };
    case 2:
      return {
        kind: 'tool',
        id,
        name: 'Edit',
        input: JSON.stringify({ file_path: `src/f${index}.ts`, old_string: 'a\nb', new_string: 'a\nc\nd' }),
        path: `src/f${index}.ts`,
      };
    case 4:
    case 6:
      return {
        kind: 'tool',
        id,
        name: index % 8 === 4 ? 'Grep' : 'Read',
        input: JSON.stringify({ pattern: `callers of f${index}` }),
        path: index % 8 === 4 ? null : `src/f${index}.ts`,
      };
    default:
      return { kind: 'tool-result', id, isError: false, text: 'ok' };
  }
}

async function addTask(stand: InboxStand, title: string, count: number): Promise<Task> {
  const { world } = stand;
  const project = stand.project(`p-${count}`, { slots: 1 });
  world.executor.script.push({ hold: true });
  const task = world.addTask(project.id, title);
  await world.untilState(task.id, 'running');
  const turn = world.stores.turns.ofTask(task.id)[0];
  if (turn === undefined) throw new Error('no turn');
  const at = world.clock.now();
  const stored = (event: TurnEvent, seq: number) => ({ taskId: task.id, turnId: turn.id, seq, at, event });
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    world.stores.events.append(
      Array.from({ length }, (_, index) => stored(eventOf(from + index), from + index + 1)),
      [],
    );
  }
  world.stores.events.append([stored({ kind: 'assistant', text: LAST }, count + 1)], []);
  return task;
}

/** From the board to the newest line on the screen, in the browser's own milliseconds. */
async function openTask(page: Page, number: number): Promise<number> {
  await page.evaluate(() => (location.hash = '#/board'));
  await page.reload();
  await page.getByRole('heading', { name: 'Board' }).waitFor();
  await page.getByRole('switch').first().waitFor();
  return page.evaluate(
    async ({ to, text }) => {
      const startedAt = performance.now();
      location.hash = to;
      while (![...document.querySelectorAll('.tl-row')].some((row) => row.textContent?.includes(text)))
        await new Promise((drawn) => requestAnimationFrame(drawn));
      // Painted: the frame after the one in which it was found.
      await new Promise((drawn) => requestAnimationFrame(drawn));
      return performance.now() - startedAt;
    },
    { to: `#/task/${number}`, text: LAST },
  );
}

/** Longest frames while scrolling up through the timeline at 120 px a frame, older pages included. */
const scroll = (page: Page, step: number) =>
  page.evaluate(
    async ({ frames, by }) => {
      const pane = document.querySelector('.tl-pane');
      if (pane === null) throw new Error('no timeline');
      const times: number[] = [];
      const before = pane.scrollHeight;
      let last = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
      for (let frame = 0; frame < frames; frame += 1) {
        pane.scrollTop -= by;
        const now = await new Promise<number>((drawn) => requestAnimationFrame(drawn));
        times.push(now - last);
        last = now;
      }
      return { times, grown: pane.scrollHeight - before };
    },
    { frames: FRAMES, by: step },
  );

/** P6: the window's timeline of a task with 100,000 events, and what a browser has to load. */
export async function benchWindow(): Promise<BenchRow[]> {
  buildWindow();
  const assets = path.join(WINDOW_FOLDER, 'assets');
  const index = readFileSync(path.join(WINDOW_FOLDER, 'index.html'), 'utf8');
  // What the page names is the first load; places that are opened now and then come later.
  const bytes = readdirSync(assets)
    .filter((name) => name.endsWith('.js') && index.includes(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(path.join(assets, name))).length, 0);

  const stand = await InboxStand.start();
  const executable = process.env['SIGNALBOX_CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({
    ...(existsSync(executable) ? { executablePath: executable } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
  });
  try {
    const large = await addTask(stand, 'Large', EVENTS);
    const small = await addTask(stand, 'Small', FEW);
    const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
    await stand.open(page, '/board');
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    const [largeMs, smallMs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      smallMs.push(await openTask(page, small.number));
      largeMs.push(await openTask(page, large.number));
    }
    const still = await scroll(page, 0);
    const moving = await scroll(page, 120);
    const worst = Math.max(...moving.times);
    const slow = moving.times.filter((time) => time > FRAME_LIMIT_MS).length;
    const opened = median(largeMs);
    return [
      {
        bar: 'P6',
        what: 'a timeline of 100,000 events opens',
        value: opened,
        unit: 'ms',
        limit: `< ${OPEN_LIMIT_MS}`,
        ok: opened < OPEN_LIMIT_MS,
        note: `${(opened / median(smallMs)).toFixed(2)} of one with ${FEW} events, medians of ${ROUNDS}`,
      },
      {
        bar: 'P6',
        what: 'longest frame while scrolling it',
        value: worst,
        unit: 'ms',
        limit: `≤ ${FRAME_LIMIT_MS}`,
        ok: worst <= FRAME_LIMIT_MS,
        note: `${slow} of ${FRAMES} above; standing still ${Math.max(...still.times).toFixed(0)} ms, ${still.times.filter((time) => time > FRAME_LIMIT_MS).length} above; ${moving.grown} px of older lines came`,
      },
      {
        bar: 'P6',
        what: 'script of the first load, gzip',
        value: bytes / 1000,
        unit: 'kB',
        limit: `< ${SCRIPT_LIMIT / 1000}`,
        ok: bytes < SCRIPT_LIMIT,
      },
    ];
  } finally {
    await browser.close();
    await stand.close();
  }
}
