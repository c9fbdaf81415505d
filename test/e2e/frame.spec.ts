import type { Page } from '@playwright/test';
import { fillBoard, runs } from './support/board-scene.ts';
import { expect, isAccessible, tabTo, test } from './support/frame-test.ts';

const kill = (page: Page) => page.getByRole('button', { name: 'Kill switch', exact: true });
const release = (page: Page) => page.getByRole('button', { name: 'Release kill switch', exact: true });

test('places have their names, and g with a letter goes there', async ({ page, stand }) => {
  // Without a project the window would begin with the first steps.
  stand.project('fx-rates');
  await stand.open(page);
  for (const name of ['Inbox', 'Board', 'Ledger', 'Settings']) {
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })).toBeVisible();
  }
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { name: 'Board' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page).toHaveURL(/#\/inbox/);
  // Not in a text field.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('');
  await page.keyboard.type('gb');
  await expect(page.getByRole('combobox')).toHaveValue('gb');
});

test('a new link that is opened in the tab of a window leaves it where it was', async ({ page, stand }) => {
  const project = stand.project('a');
  await stand.asks(project, 'Round line totals', 'How?');
  const { number } = await stand.asks(project, 'Embed fonts', 'Which?');
  const item = page.getByRole('region', { name: `Item #${number}`, exact: true });
  await stand.open(page, `/inbox/${number}`);
  await expect(item).toBeVisible();
  await stand.open(page);
  await expect(item).toBeVisible();
  await stand.open(page, '/ledger');
  await expect(page.getByRole('main', { name: 'Ledger' })).toBeVisible();
  await stand.open(page);
  await expect(page.getByRole('main', { name: 'Ledger' })).toBeVisible();
});

test('an address that leads nowhere is said to be one, whatever stands in it', async ({ page, stand }) => {
  stand.project('a');
  await stand.open(page);
  for (const place of [
    '/nothing',
    '/inbox/x',
    '/inbox/1?kind=%E0%A4%A',
    '/inbox/0',
    '/task/-1',
    '/task/1e3',
  ]) {
    await page.goto(`${stand.web.origin}/#/board`);
    await page.goto(`${stand.web.origin}/#${place}`);
    await expect(page.getByRole('heading', { name: 'There is no such page' }), place).toBeVisible();
  }
  await page.getByRole('link', { name: 'Open Inbox' }).click();
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible();
});

test('the kill switch stops all with one press, and the release dialog starts at keeping it', async ({
  page,
  stand,
}) => {
  test.setTimeout(120_000);
  await fillBoard(stand);
  await stand.open(page, '/board');
  await expect(page.getByText('3 running')).toBeVisible();
  const height = async () => (await page.locator('.header').boundingBox())?.height;
  const before = await height();
  await kill(page).click();
  await expect(page.getByText('Everything is stopped.')).toBeVisible();
  expect(await height()).toBe(before);
  await expect.poll(() => stand.world.executor.live).toBe(0);
  await isAccessible(page);

  await page.getByRole('button', { name: 'Show receipt' }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt' });
  await expect(receipt.getByRole('link', { name: 'Migrate currency codes' })).toBeVisible();
  await expect(receipt.getByText('3 processes ended, 0 still alive')).toBeVisible();
  await isAccessible(page);
  await page.keyboard.press('Escape');

  await release(page).click();
  const dialog = page.getByRole('dialog', { name: 'Release the kill switch?' });
  await expect(dialog.getByText('6 tasks are ready')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Keep stopped' })).toBeFocused();
  await isAccessible(page);
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Release, but start nothing new' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Release', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  // Round to the first: kept.
  await expect(dialog).toBeHidden();
  await expect(release(page)).toBeVisible();
});

test('by keyboard alone: stopped, released without starting, and gone on', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  await runs(stand, project, 'Use ECB rates');
  await stand.open(page, '/board');
  await expect(page.getByText('1 running')).toBeVisible();
  await page.keyboard.press('Control+Shift+K');
  await expect(release(page)).toBeVisible();
  await tabTo(page, 'Release kill switch');
  // A double press cannot release.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Keep stopped' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(release(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Keep stopped' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(kill(page)).toBeVisible();
  await expect(page.getByText('Paused.', { exact: true })).toBeVisible();
  expect(stand.world.executor.live).toBe(0);
  await isAccessible(page);
  stand.world.executor.script.push({ hold: true });
  await tabTo(page, 'Go on');
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 running')).toBeVisible();
});

test('a pause lets turns end and says how many are left; the chip takes it back', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  await runs(stand, project, 'Use ECB rates');
  await stand.open(page, '/board');
  await page.getByRole('button', { name: 'Pause at turn end' }).click();
  const chip = page.getByRole('button', { name: 'Pausing, 1 turn left' });
  await expect(chip).toBeVisible();
  await isAccessible(page);
  await chip.click();
  await expect(chip).toBeHidden();
  await expect(page.getByRole('button', { name: 'Pause at turn end' })).toBeVisible();
});

test('a hold has one band with what to do, and checking again is one press', async ({ page, stand }) => {
  const project = stand.project('fx-rates', { slots: 1 });
  stand.world.executor.login = { kind: 'logged-out' };
  stand.world.executor.script.push({
    outcome: {
      kind: 'failed',
      category: 'login',
      message: 'Please run /login',
      resetsAt: null,
      report: null,
    },
  });
  stand.world.addTask(project.id, 'Use ECB rates');
  await stand.open(page, '/board');
  await expect(page.getByText('On hold: Claude Code needs a login.')).toBeVisible();
  await expect(page.getByText('On hold: login')).toBeVisible();
  await expect(page.getByText('1 task is queued, no attempts are used up.')).toBeVisible();
  await isAccessible(page);
  stand.world.executor.script.push({ hold: true });
  await page.getByRole('button', { name: 'Check again' }).first().click();
  await expect(page.getByText('1 running')).toBeVisible();
});

test('the palette finds places, items and tasks by typing, and does what is chosen', async ({
  page,
  stand,
}) => {
  test.setTimeout(60_000);
  const project = stand.project('fx-rates', { slots: 0 });
  stand.world.addTask(project.id, 'Use ECB rates');
  await stand.open(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search or run a command' })).toBeVisible();
  await isAccessible(page);
  await page.keyboard.type('ecb');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Use ECB rates' })).toBeVisible();
  await page.getByRole('button', { name: /Search or run a command/ }).click();
  await page.keyboard.type('pause at');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Paused.', { exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing like it');
  await expect(page.getByText('Nothing matches.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('without the hub all stays readable, nothing can be pressed, and it comes back by itself', async ({
  page,
  stand,
}) => {
  test.setTimeout(60_000);
  const project = stand.project('fx-rates', { slots: 1 });
  await runs(stand, project, 'Use ECB rates');
  await stand.open(page, '/board');
  await expect(page.getByRole('link', { name: 'Use ECB rates' })).toBeVisible();
  await stand.goAway();
  await expect(page.getByText('No connection to the hub.')).toBeVisible();
  await expect(page.getByText(/What you see is from \d\d:\d\d:\d\d\./)).toBeVisible();
  await expect(page.getByText('State unknown')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Use ECB rates' })).toBeVisible();
  await expect(kill(page)).toBeDisabled();
  await expect(kill(page)).toHaveAttribute('title', 'No connection. On that machine: signalbox kill');
  await expect(page.getByRole('switch')).toBeDisabled();
  await isAccessible(page);
  // While nobody looks another task is added: nothing is lost.
  stand.world.addTask(project.id, 'Added meanwhile');
  // Pressed while nobody answers: once the host is back, the window may connect before any press.
  await page.getByRole('button', { name: 'Try now' }).dispatchEvent('click');
  await expect(page.getByText('No connection to the hub.')).toBeVisible();
  await stand.comeBack();
  await expect(page.getByText('No connection to the hub.')).toBeHidden({ timeout: 15_000 });
  await expect(page.getByRole('link', { name: 'Added meanwhile' })).toBeVisible();
  await expect(kill(page)).toBeEnabled();
});

test('a browser without a key is told how to get in', async ({ page, stand }) => {
  await page.goto(stand.web.origin);
  await expect(page.getByRole('heading', { name: 'This browser has no key' })).toBeVisible();
  await expect(page.getByText('signalbox serve --link')).toBeVisible();
  await isAccessible(page);
});
