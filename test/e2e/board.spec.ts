import { fillBoard, runs, WORK } from './support/board-scene.ts';
import { expect, isAccessible, tabTo, test } from './support/frame-test.ts';
import type { InboxStand } from './support/inbox-stand.ts';
import type { Page } from '@playwright/test';

const row = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** A project that starts nothing by itself, with three tasks that are ready. */
function queued(stand: InboxStand) {
  const project = stand.project('invoice-service', { slots: 0 });
  for (const title of ['Alpha', 'Beta', 'Gamma']) stand.world.addTask(project.id, title);
  return project;
}
const order = (stand: InboxStand) =>
  stand.world.stores.tasks.list({ states: ['ready'] }).map(({ title }) => title);
const lines = (page: Page) => row(page, 'invoice-service').locator('.queue li a');

test('without a project the board says what to do', async ({ page, stand }) => {
  await stand.open(page, '/board');
  await expect(page.getByRole('heading', { name: 'No projects yet.' })).toBeVisible();
  await isAccessible(page);
});

test('a full board names everything, shows who runs since when, and passes axe', async ({ page, stand }) => {
  test.setTimeout(120_000);
  await fillBoard(stand);
  await stand.open(page, '/board');
  await expect(page.getByText('8 projects, 3 of 11 slots in use, 3 tasks queued')).toBeVisible();
  const busy = row(page, 'invoice-service');
  await expect(busy.getByRole('switch', { name: 'invoice-service enabled' })).toBeChecked();
  await expect(busy.getByRole('spinbutton', { name: 'invoice-service slots' })).toHaveAttribute(
    'aria-valuenow',
    '2',
  );
  await expect(busy.getByRole('button', { name: 'Add task' })).toBeVisible();
  await expect(busy.getByText('Credit notes used the old rounding').first()).toBeVisible();
  await expect(busy.getByRole('link', { name: '1 waits for you' })).toBeVisible();
  await expect(row(page, 'ledger-import').getByText('Stopped: the agent changed .git/config')).toBeVisible();
  // What runs comes first, what is off comes last.
  const names = await page
    .locator('.prow')
    .evaluateAll((rows) => rows.map((each) => each.getAttribute('aria-label')));
  expect(names).toEqual([
    'batch-scheduler',
    'invoice-service',
    'claims-portal',
    'auth-proxy',
    'fx-rates',
    'pdf-render',
    'design-tokens',
    'ledger-import',
  ]);
  for (const width of [900, 1280, 1600]) {
    await page.setViewportSize({ width, height: 820 });
    await isAccessible(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(overflow).toBe(false);
  }
});

test('by mouse: a task is added with a dropped file, slots are changed, a project is switched off', async ({
  page,
  stand,
}) => {
  stand.project('fx-rates', { slots: 1 });
  stand.world.executor.script.push({ hold: true, events: WORK });
  await stand.open(page, '/board');
  const fx = row(page, 'fx-rates');
  await fx.getByRole('button', { name: 'Add task' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a task to fx-rates' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Use ECB rates');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['Rates come from the ECB.'], 'notes.txt', { type: 'text/plain' }));
    transfer.items.add(new File([new Uint8Array([0, 1, 2])], 'logo.bin'));
    return transfer;
  });
  await dialog.locator('form').dispatchEvent('drop', { dataTransfer: data });
  await expect(dialog.getByRole('textbox', { name: 'Description' })).toHaveValue(
    'notes.txt:\n\nRates come from the ECB.',
  );
  await expect(dialog.getByRole('alert')).toContainText('logo.bin');
  await isAccessible(page);
  await dialog.getByRole('button', { name: 'Add task' }).click();
  await expect(fx.getByRole('link', { name: 'Use ECB rates' })).toBeVisible();
  await expect(fx.getByText('Running')).toBeVisible();
  await fx.getByTitle('More').click();
  await expect(fx.getByText('1 slot free')).toBeVisible();
  await fx.getByTitle('Fewer').click();
  await fx.getByTitle('Fewer').click();
  // Nothing that runs is stopped by fewer slots.
  await expect(fx.getByText('1 slot ends after its task')).toBeVisible();
  await fx.getByRole('switch').click();
  await expect(fx.getByRole('switch')).not.toBeChecked();
  expect(stand.world.stores.projects.list()[0]).toMatchObject({ slots: 0, isEnabled: false });
});

test('by keyboard: a task is added, slots are changed, a project is switched off', async ({
  page,
  stand,
}) => {
  stand.project('fx-rates', { slots: 0 });
  await stand.open(page, '/board');
  await expect(row(page, 'fx-rates')).toBeVisible();
  await tabTo(page, 'Add task');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Use ECB rates');
  await page.keyboard.press('Tab');
  await page.keyboard.type('As published.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row(page, 'fx-rates').getByRole('link', { name: 'Use ECB rates' })).toBeVisible();
  // The focus is back on the button that opened it.
  await expect(page.getByRole('button', { name: 'Add task' })).toBeFocused();
  await page.getByRole('spinbutton', { name: 'fx-rates slots' }).focus();
  await page.keyboard.press('8');
  await expect(page.getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '8');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '7');
  await page.getByRole('switch').focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('switch')).not.toBeChecked();
  // Nothing moves under who uses the board: the row stays where it was.
  await expect(page.getByRole('switch')).toBeFocused();
});

test('a queue is reordered by dragging', async ({ page, stand }) => {
  queued(stand);
  await stand.open(page, '/board');
  await expect(lines(page)).toHaveText(['Alpha', 'Beta', 'Gamma']);
  await lines(page).nth(2).locator('..').dragTo(lines(page).nth(0).locator('..'));
  await expect(lines(page)).toHaveText(['Gamma', 'Alpha', 'Beta']);
  await expect(page.getByRole('status').filter({ hasText: 'Gamma is now number 1' })).toBeVisible();
  expect(order(stand)).toEqual(['Gamma', 'Alpha', 'Beta']);
});

test('a queue is reordered with Alt and the arrows, and a task of it cancelled, by keyboard alone', async ({
  page,
  stand,
}) => {
  queued(stand);
  await stand.open(page, '/board');
  await tabTo(page, 'Move Alpha');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(lines(page)).toHaveText(['Beta', 'Alpha', 'Gamma']);
  await expect(page.getByRole('button', { name: 'Move Alpha' })).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(lines(page)).toHaveText(['Beta', 'Gamma', 'Alpha']);
  await page.keyboard.press('Alt+ArrowUp');
  await expect(lines(page)).toHaveText(['Beta', 'Alpha', 'Gamma']);
  expect(order(stand)).toEqual(['Beta', 'Alpha', 'Gamma']);
  await tabTo(page, 'Menu of Alpha');
  await page.keyboard.press('Enter');
  // The menu takes the focus after it is shown; a key before that would go to the page.
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Cancel task' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(lines(page)).toHaveText(['Beta', 'Gamma']);
});

test('what is typed into a title is shown as characters', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 0 });
  const title = '<img src=x onerror="document.title=1">\u202Egnp.exe';
  stand.world.addTask(project.id, title);
  await stand.open(page, '/board');
  await expect(page.getByText('<img src=x onerror="document.title=1">')).toBeVisible();
  await expect(page.getByText('U+202E')).toBeVisible();
  await expect(page).toHaveTitle('Signalbox');
  expect(await page.locator('img').count()).toBe(0);
});

test('two windows agree within a second', async ({ page, stand, context }) => {
  stand.project('fx-rates', { slots: 1 });
  await stand.open(page, '/board');
  const other = await context.newPage();
  await stand.open(other, '/board');
  await row(other, 'fx-rates').getByTitle('More').click();
  await expect(row(page, 'fx-rates').getByRole('spinbutton')).toHaveAttribute('aria-valuenow', '2', {
    timeout: 1000,
  });
  await row(page, 'fx-rates').getByRole('switch').click();
  await expect(row(other, 'fx-rates').getByRole('switch')).not.toBeChecked({ timeout: 1000 });
});

test('a press on a project in the sidebar brings its row into sight', async ({ page, stand }) => {
  for (let index = 10; index < 50; index += 1) stand.project(`service-${index}`, { slots: 1 });
  await stand.open(page, '/board');
  await expect(row(page, 'service-49')).not.toBeInViewport();
  await page
    .getByRole('complementary', { name: 'Sidebar' })
    .getByRole('link', { name: /service-49/ })
    .click();
  await expect(row(page, 'service-49')).toBeInViewport();
});

test('the live line of a slot follows what the agent does', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  const task = await runs(stand, project, 'Use ECB rates', WORK.slice(0, 2));
  await stand.open(page, '/board');
  await expect(row(page, 'fx-rates').getByText('I will read the invoice module')).toBeVisible();
  const { stores, clock, deps } = stand.world;
  const [turn] = stores.turns.ofTask(task.id);
  if (turn === undefined) throw new Error('no turn');
  const event = { kind: 'assistant', text: 'Now the tests.' } as const;
  stores.events.append([{ taskId: task.id, turnId: turn.id, seq: 100, at: clock.now(), event }], []);
  deps.feed.taskChanged(task.id);
  await expect(row(page, 'fx-rates').getByText('Now the tests.')).toBeVisible();
});
