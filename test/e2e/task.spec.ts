import type { Page } from '@playwright/test';
import type { TurnEvent } from '../../src-main/core/ports/harness.ts';
import type { Task } from '../../src-shared/model/task.ts';
import { question } from '../support/engine-world.ts';
import { runs, SESSION, WORK } from './support/board-scene.ts';
import { expect, isAccessible, tabTo, test } from './support/frame-test.ts';
import type { InboxStand } from './support/inbox-stand.ts';
import { SAMPLE_DIFF } from './support/sample-diff.ts';

const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline', exact: true });
const pane = (page: Page) => page.getByRole('log', { name: 'Timeline' });

/** Stores what an agent said, as the engine does while a turn runs. */
function says(stand: InboxStand, task: Task, texts: readonly string[]): void {
  const { stores, clock, deps } = stand.world;
  const turn = stores.turns.ofTask(task.id).at(-1);
  if (turn === undefined) throw new Error('no turn');
  const events = texts.map((text, index) => ({
    taskId: task.id,
    turnId: turn.id,
    seq: Date.now() + index,
    at: clock.now(),
    event: { kind: 'assistant', text } satisfies TurnEvent,
  }));
  stores.events.append(events, []);
  deps.feed.taskChanged(task.id);
}
const lines = (count: number, from = 1): readonly string[] =>
  Array.from({ length: count }, (_, index) => `Line ${from + index} of the work.`);

test('a running task says all that is known, in every view, at every width', async ({ page, stand }) => {
  test.setTimeout(180_000);
  const project = stand.project('invoice-service', { slots: 2 });
  const task = await runs(stand, project, 'Migrate currency codes');
  stand.world.workspaces.diff = () => Promise.resolve(SAMPLE_DIFF);
  await stand.open(page, `/task/${task.number}`);
  await expect(page.getByRole('heading', { name: 'Migrate currency codes' })).toBeVisible();
  await expect(timeline(page).getByText('You asked')).toBeVisible();
  await expect(timeline(page).getByText('Read', { exact: true })).toBeVisible();
  await expect(timeline(page).getByText('3 files')).toBeVisible();
  await expect(timeline(page).getByText('denied by policy')).toBeVisible();
  const aside = page.getByRole('complementary', { name: 'About' });
  await expect(aside.getByText('claude-sonnet-4-5')).toBeVisible();
  await expect(aside.getByText('2.1.332')).toBeVisible();
  // Nothing reported tokens: they are not shown as 0.
  await expect(aside.getByText('Tokens')).toBeHidden();
  await isAccessible(page);
  for (const [tab, wanted] of [
    ['Transcript', 'Transcript'],
    ['Diff', 'Diff'],
    ['Test output', 'Test output'],
    ['Ledger', 'Ledger'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Task views' }).getByRole('link', { name: tab }).click();
    await expect(page.getByRole('region', { name: wanted, exact: true }).first()).toBeVisible();
    await isAccessible(page);
  }
  await page.setViewportSize({ width: 850, height: 700 });
  await expect(aside).toBeHidden();
  await page.getByRole('link', { name: 'About' }).click();
  await expect(aside).toBeVisible();
  await isAccessible(page);
});

test('the diff of a task is shown by file', async ({ page, stand }) => {
  const project = stand.project('invoice-service', { slots: 2 });
  const item = await stand.offers(project, 'Cache tariff lookups', { diff: SAMPLE_DIFF });
  const task = stand.world.stores.tasks.get(item.taskId as never);
  await stand.open(page, `/task/${task?.number}/diff`);
  await expect(
    page.getByRole('region', { name: 'Diff', exact: true }).getByText('lookup.ts', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('0 of 5 files viewed')).toBeVisible();
});

test('interrupting takes two presses, and the task goes on in its session: by mouse', async ({
  page,
  stand,
}) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates');
  await stand.open(page, `/task/${task.number}`);
  await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Press again to interrupt' })).toBeFocused();
  expect(stand.world.executor.live).toBe(1);
  // Nobody presses again: it is a button as before.
  await expect(page.getByRole('button', { name: 'Interrupt', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
  await page.getByRole('button', { name: 'Press again to interrupt' }).click();
  await expect(page.getByText('Parked').first()).toBeVisible();
  expect(stand.world.executor.live).toBe(0);
  stand.world.executor.script.push({ hold: true });
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Interrupt', exact: true })).toBeVisible();
  const sessions = new Set(stand.world.executor.requests.map(({ sessionId }) => sessionId));
  expect(sessions.size).toBe(1);
});

test('interrupting, resuming and cancelling by keyboard alone', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates');
  await stand.open(page, `/task/${task.number}`);
  await page.getByRole('button', { name: 'Interrupt', exact: true }).waitFor();
  await tabTo(page, 'Interrupt');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  stand.world.executor.script.push({ hold: true });
  await tabTo(page, 'Resume');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Interrupt', exact: true })).toBeVisible();
  await tabTo(page, 'Cancel task');
  await page.keyboard.press('Enter');
  // The focus is on the answer that changes nothing.
  await expect(
    page.getByRole('alertdialog').getByRole('button', { name: 'Cancel', exact: true }),
  ).toBeFocused();
  await isAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Cancelled').first()).toBeVisible();
  expect(stand.world.task(task.id).state).toBe('cancelled');
});

test('a question and its answer stand in the timeline, with how long it waited', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const item = await stand.asks(project, 'Use ECB rates', 'Daily or monthly?', ['daily', 'monthly']);
  const task = stand.world.stores.tasks.get(item.taskId as never);
  await stand.open(page, `/task/${task?.number}`);
  await expect(timeline(page).getByText('Stopped with a question')).toBeVisible();
  await expect(timeline(page).getByRole('link', { name: `#${item.number}` })).toBeVisible();
  await expect(page.getByText('Waits for you').first()).toBeVisible();
  await isAccessible(page);
  stand.world.executor.script.push({ outcome: question('And which time zone?') });
  await page.getByRole('link', { name: `Show #${item.number}` }).click();
  await page.getByRole('group', { name: 'Answer options' }).getByRole('button', { name: /daily/ }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.goto(`${stand.web.origin}/#/task/${task?.number}`);
  await expect(timeline(page).getByText(/replied to #/)).toBeVisible({ timeout: 15_000 });
  await expect(timeline(page).getByText(/Waited for you/)).toBeVisible();
});

test('the timeline follows the newest, keeps what is read, and counts what came meanwhile', async ({
  page,
  stand,
}) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates', [SESSION]);
  says(stand, task, lines(900));
  await stand.open(page, `/task/${task.number}`);
  await expect(timeline(page).getByText('Line 900 of')).toBeVisible();
  says(stand, task, lines(3, 901));
  await expect(timeline(page).getByText('Line 903 of')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden();

  await pane(page).hover();
  await page.mouse.wheel(0, -1500);
  const jump = page.getByRole('button', { name: 'Jump to latest', exact: true });
  await expect(jump).toBeVisible();
  const read = await firstShown(page);
  says(stand, task, lines(12, 904));
  await expect(jump).toContainText('12 new');
  await isAccessible(page);
  expect(await firstShown(page)).toEqual(read);

  // Older pages come while one scrolls up; what is in sight stays where it is.
  let [before, loads] = [await pane(page).evaluate((element) => element.scrollHeight), 0];
  for (let step = 0; step < 60 && loads < 2; step += 1) {
    await page.mouse.wheel(0, -600);
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    const height = await pane(page).evaluate((element) => element.scrollHeight);
    if (height > before + 2000) loads += 1;
    before = height;
  }
  expect(loads).toBe(2);

  await page.keyboard.press('End');
  await expect(timeline(page).getByText('Line 915 of')).toBeVisible();
  await expect(jump).toBeHidden();
  await page.keyboard.press('PageUp');
  await page.keyboard.press('PageUp');
  await expect(jump).toBeVisible();
  await jump.click();
  await expect(timeline(page).getByText('Line 915 of')).toBeVisible();
});

test('a page of older lines does not move what is read by more than a pixel', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates', [SESSION]);
  says(stand, task, lines(900));
  await stand.open(page, `/task/${task.number}`);
  await expect(timeline(page).getByText('Line 900 of')).toBeVisible();
  // The place of each line that stays in sight, frame by frame, while the page comes.
  const moved = await pane(page).evaluate(async (element) => {
    const places = (): Map<string, number> =>
      new Map(
        [...element.querySelectorAll('.tl-row')].map((row) => [
          row.textContent ?? '',
          row.getBoundingClientRect().top,
        ]),
      );
    const frame = (): Promise<void> => new Promise((drawn) => requestAnimationFrame(() => drawn()));
    element.scrollTop = 900;
    await frame();
    await frame();
    let [before, height, worst] = [places(), element.scrollHeight, 0];
    for (let count = 0; count < 600; count += 1) {
      await frame();
      const now = places();
      for (const [text, top] of now) {
        const was = before.get(text);
        const isInSight = top > 100 && top < 700;
        if (was !== undefined && isInSight) worst = Math.max(worst, Math.abs(top - was));
      }
      before = now;
      if (element.scrollHeight > height + 2000) return { worst, hasGrown: true };
      height = Math.max(height, element.scrollHeight - 1);
    }
    return { worst, hasGrown: false };
  });
  expect(moved.hasGrown).toBe(true);
  expect(moved.worst).toBeLessThanOrEqual(1);
});

test('what an agent writes stays characters', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const hostile =
    '<script>document.title="x"</script><b>Approved</b> \u202Egnp\u202C https://evil.example/ \u001b[31m';
  const task = await runs(stand, project, '<i>Title</i>', [
    SESSION,
    { kind: 'assistant', text: hostile },
    { kind: 'tool', id: 't', name: '<u>Bash</u>', input: JSON.stringify({ command: hostile }), path: null },
    { kind: 'denied', tool: 'Bash', reason: hostile },
  ]);
  await stand.open(page, `/task/${task.number}`);
  await expect(timeline(page).getByText('<b>Approved</b>').first()).toBeVisible();
  await expect(timeline(page).getByText('U+202E').first()).toBeVisible();
  await expect(timeline(page).getByText('ESC').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: '<i>Title</i>' })).toBeVisible();
  await expect(page).toHaveTitle('Signalbox');
  expect(await page.locator('.tl b', { hasText: 'Approved' }).count()).toBe(0);
  expect(await page.locator('.tl a').count()).toBe(0);
  await isAccessible(page);
});

test('a task that is not there says so, with its code', async ({ page, stand }) => {
  await stand.open(page, '/task/99');
  await expect(page.getByRole('alert')).toContainText('99');
  await expect(page.getByText('not-found')).toBeVisible();
});

test('a hub that comes back goes on with the timeline without loss or repetition', async ({
  page,
  stand,
}) => {
  test.setTimeout(60_000);
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates', WORK.slice(0, 2));
  await stand.open(page, `/task/${task.number}`);
  await expect(timeline(page).getByText('I will read the invoice module')).toBeVisible();
  await stand.goAway();
  await expect(page.getByText('No connection to the hub.')).toBeVisible();
  says(stand, task, lines(5));
  await stand.comeBack();
  await expect(timeline(page).getByText('Line 5 of')).toBeVisible({ timeout: 15_000 });
  says(stand, task, lines(1, 6));
  await expect(timeline(page).getByText('Line 6 of')).toBeVisible();
  for (let line = 1; line <= 6; line += 1) {
    await expect(timeline(page).getByText(`Line ${line} of`)).toHaveCount(1);
  }
});

/** The first line that is whole in sight, and where. */
async function firstShown(page: Page): Promise<{ readonly text: string; readonly top: number }> {
  return pane(page).evaluate((element) => {
    const { top } = element.getBoundingClientRect();
    const row = [...element.querySelectorAll('.tl-row')].find(
      (each) => each.getBoundingClientRect().top >= top,
    );
    return { text: row?.textContent ?? '', top: Math.round(row?.getBoundingClientRect().top ?? 0) };
  });
}
