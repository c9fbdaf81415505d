import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import type { RelayWorld } from '../support/relay-world.ts';
import { createWorld, startServe } from '../integration/web/serve-world.ts';
import { tabTo } from './support/frame-test.ts';
import { InboxPage } from './support/inbox-page.ts';
import { isAlive, plays, prompts, shortUndo } from './support/real-serve.ts';

const root = path.resolve(import.meta.dirname, '../..');

const OPTIONS = ['2 places', 'nearest rupee'];
const ASKS = { match: { turn: 1 }, steps: [{ do: 'ask', question: 'How?', options: OPTIONS }] } as const;
const WORKS_ON = { steps: [{ do: 'say', text: 'I read the module first.' }, { do: 'hang' }] } as const;
const portOf = (link: string): string => new URL(link).port;

// In one file, so that one worker builds: `out/` is one for all.
test.beforeAll(() => {
  test.setTimeout(120_000);
  for (const script of ['build-cli.mjs', 'build-window.mjs']) {
    execFileSync(process.execPath, [path.join(root, 'build', script), '--quiet'], { stdio: 'inherit' });
  }
});

test('a task goes from a question to its merge by clicking, with real git and real test runs', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await using world = await createWorld();
  const project = await world.addProject('shop', { kind: 'javascript' });
  const task = await world.addTask('shop', 'Round line totals', 'Round line totals. ask');
  await using served = await startServe(world);
  const inbox = new InboxPage(page);
  await page.goto(served.link);

  await inbox.option(1).waitFor({ timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Question from Claude Code (untrusted)' })).toBeVisible();
  await inbox.answers().first().click();
  await inbox.button('Undo').click();
  await inbox.shows(1);
  await inbox.answers().first().click();

  await inbox.option(2).waitFor({ timeout: 40_000 });
  await inbox.shows(2);
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Changes' }).getByRole('table').first()).toBeVisible();
  await inbox.isAccessible();
  await inbox.button('Approve').click();
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await world.untilTask(task, ['done']);
  await expect(page.getByRole('region', { name: 'Answered today' }).getByRole('link')).toHaveCount(2);
  expect(
    execFileSync('git', ['log', '--oneline', 'main'], { cwd: project.path, encoding: 'utf8' }),
  ).toContain('Round line totals');
  expect(await served.stop()).toBe(0);
});

test('a task is added, asks, is looked at, approved and merged by keyboard alone', async ({ page }) => {
  test.setTimeout(120_000);
  await using world = await createWorld();
  const project = await world.addProject('shop', { kind: 'javascript' });
  shortUndo(world);
  await using served = await startServe(world);
  const inbox = new InboxPage(page);
  const { keyboard } = page;
  await page.goto(served.link);
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();

  await inbox.press('g', 'b');
  const board = page.getByRole('region', { name: 'shop', exact: true });
  await expect(board.getByRole('switch', { name: 'shop enabled' })).toBeChecked();
  await tabTo(page, 'Add task');
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await keyboard.type('Round line totals');
  await keyboard.press('Tab');
  await keyboard.type('Round line totals. ask');
  await keyboard.press('Control+Enter');
  await expect(board.getByRole('link', { name: 'Round line totals' })).toBeVisible();
  await expect(board.getByRole('button', { name: 'Add task' })).toBeFocused();

  await inbox.press('g', 'i');
  await inbox.option(1).waitFor({ timeout: 30_000 });
  await inbox.shows(1);
  await expect(page.getByRole('region', { name: 'Question from Claude Code (untrusted)' })).toBeVisible();
  await tabTo(page, 'Inbox items', 'listbox');
  await keyboard.press('Enter');
  await expect(inbox.answers().first()).toBeFocused();
  await keyboard.press('Enter');
  await expect(inbox.button('Undo')).toBeVisible();

  await inbox.option(2).waitFor({ timeout: 30_000 });
  await inbox.shows(2);
  const file = page.getByRole('region', { name: 'invoice.mjs', exact: true });
  await expect(file.getByText('Math.round')).toBeVisible();
  await keyboard.press('n');
  await expect(file.getByRole('button', { name: /invoice\.mjs/ }).first()).toBeFocused();
  await inbox.press('ArrowDown', 'ArrowDown');
  await expect(file.getByRole('button', { name: 'Add note on line 1', exact: true })).toBeFocused();
  await keyboard.press('v');
  await expect(page.getByRole('checkbox', { name: 'invoice.mjs viewed' })).toBeChecked();
  await expect(page.getByText('Passed', { exact: true })).toBeVisible();
  await tabTo(page, /^Approve/, 'button');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();

  await tabTo(page, /Round line totals/, 'a');
  await keyboard.press('Enter');
  await expect(page.getByText('Your answer').or(page.getByRole('region', { name: /^Item #/ }))).toBeVisible();
  await keyboard.press('o');
  await expect(page.getByRole('heading', { name: 'Round line totals' })).toBeVisible();
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible({ timeout: 30_000 });
  expect(await project.git('log', '--format=%s', 'main')).toContain('Round line totals');
  expect(await served.stop()).toBe(0);
});

/** A world with one task of an agent that does this. */
async function worldWith(rules: Parameters<typeof plays>[1]): Promise<RelayWorld> {
  const world = await createWorld();
  plays(world, rules);
  await world.addProject('shop', { withoutTests: true });
  await world.addTask('shop', 'Round line totals', 'Round the totals.');
  shortUndo(world);
  return world;
}

/** The process of the agent's newest turn. */
async function agentPid(world: RelayWorld, turns: number): Promise<number> {
  await expect.poll(() => prompts(world).length, { timeout: 20_000 }).toBe(turns);
  return prompts(world).at(-1)?.pid ?? 0;
}

async function openTask(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('link', { name: 'Board' }).click();
  await page.getByRole('region', { name: 'shop', exact: true }).getByRole('link', { name: 'Round' }).click();
}

test('a running agent is interrupted from its task, and goes on in its session', async ({ page }) => {
  test.setTimeout(60_000);
  await using world = await worldWith([WORKS_ON]);
  await using served = await startServe(world);
  await openTask(page, served.link);
  await expect(page.getByText('I read the module first.')).toBeVisible({ timeout: 20_000 });
  const first = await agentPid(world, 1);
  expect(isAlive(first)).toBe(true);
  await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
  await page.getByRole('button', { name: 'Press again to interrupt' }).click();
  await expect(page.getByText('Parked').first()).toBeVisible({ timeout: 15_000 });
  expect(isAlive(first)).toBe(false);

  await page.getByRole('button', { name: 'Resume' }).click();
  const second = await agentPid(world, 2);
  const [before, after] = prompts(world);
  expect([after?.session, after?.sessionId]).toEqual(['resume', before?.sessionId]);
  expect(isAlive(second)).toBe(true);
  expect(await served.stop()).toBe(0);
  expect(isAlive(second)).toBe(false);
});

test('the kill switch ends the process of a running agent, and nothing starts before its release', async ({
  page,
}) => {
  test.setTimeout(60_000);
  await using world = await worldWith([WORKS_ON]);
  await using served = await startServe(world);
  await openTask(page, served.link);
  await expect(page.getByText('I read the module first.')).toBeVisible({ timeout: 20_000 });
  const first = await agentPid(world, 1);
  await page.getByRole('button', { name: 'Kill switch', exact: true }).click();
  await expect(page.getByText('Everything is stopped.')).toBeVisible({ timeout: 15_000 });
  await expect.poll(() => isAlive(first), { timeout: 10_000 }).toBe(false);
  await page.getByRole('button', { name: 'Show receipt' }).click();
  const receipt = page.getByRole('dialog', { name: 'Receipt' });
  await expect(receipt.getByRole('link', { name: 'Round line totals' })).toBeVisible();
  await expect(receipt.getByText(/, 0 still alive/)).toBeVisible();
  await page.keyboard.press('Escape');
  expect(prompts(world)).toHaveLength(1);

  await page.getByRole('button', { name: 'Release kill switch' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Kill switch', exact: true })).toBeVisible();
  const second = await agentPid(world, 2);
  expect(isAlive(second)).toBe(true);
  expect(await served.stop()).toBe(0);
});

test('a host that is killed while an answer is typed, and again once it is stored, loses nothing', async ({
  page,
}) => {
  test.setTimeout(90_000);
  const answer = 'Half up, to two places';
  await using world = await worldWith([ASKS, { steps: [{ do: 'done', summary: 'Rounded.' }] }]);
  const inbox = new InboxPage(page);
  const served = await startServe(world);
  const port = portOf(served.link);
  await page.goto(served.link);
  await inbox.option(1).waitFor({ timeout: 20_000 });
  await inbox.reply.fill(answer);
  served.signal('SIGKILL');
  await served.ended;
  await expect(page.getByText('No connection to the hub.')).toBeVisible();
  await expect(inbox.reply).toHaveValue(answer);
  await expect(inbox.button('Send reply')).toBeDisabled();

  // The secrets of a web host end with it: the window says so, and the new link opens it where it was.
  const next = await startServe(world, ['--port', port]);
  await expect(page.getByRole('heading', { name: 'This browser has no key' })).toBeVisible({
    timeout: 15_000,
  });
  await page.goto(next.link);
  await inbox.shows(1);
  await expect(inbox.reply).toHaveValue(answer);
  await page.reload();
  await expect(inbox.reply).toHaveValue(answer);
  await inbox.button('Send reply').click();
  await expect(inbox.button('Undo')).toBeVisible();
  next.signal('SIGKILL');
  await next.ended;

  await using last = await startServe(world, ['--port', port]);
  await page.goto(last.link);
  await inbox.option(2).waitFor({ timeout: 30_000 });
  await expect(page.getByText('Rounded.').first()).toBeVisible();
  const carried = prompts(world).filter(({ prompt }) => prompt.includes(answer));
  expect(carried.map(({ session, turn }) => [session, turn])).toEqual([['resume', 2]]);
  expect(prompts(world)).toHaveLength(2);
  expect(await world.item(1)).toMatchObject({
    state: 'answered',
    answer,
    respondedVia: 'web',
    delivery: 'seen',
  });
  expect(await last.stop()).toBe(0);
});

test('of two windows the first answer counts, and the other shows it within a second', async ({
  browser,
  page,
}) => {
  test.setTimeout(60_000);
  await using world = await worldWith([ASKS, { steps: [{ do: 'done', summary: 'Rounded.' }] }]);
  await using served = await startServe(world);
  const context = await browser.newContext();
  const [mine, other] = [new InboxPage(page), new InboxPage(await context.newPage())];
  const { url } = await world.json<{ url: string }>(['serve', '--link']);
  await page.goto(served.link);
  await other.page.goto(url);
  for (const window of [mine, other]) await window.option(1).waitFor({ timeout: 20_000 });
  await mine.reply.fill('My own words');
  await other.answers().first().click();
  const within = { timeout: 1000 };
  await other.button('Undo').waitFor();
  await expect(page.getByText(/This item was answered .* Your text is kept below/)).toBeVisible(within);
  await expect(page.getByRole('textbox', { name: 'Your text' })).toHaveValue('My own words');
  await expect(page.locator('.you').getByText('2 places')).toBeVisible();
  await expect(mine.option(1)).toHaveCount(0);
  await mine.option(2).waitFor({ timeout: 30_000 });
  expect(prompts(world).filter(({ prompt }) => prompt.includes('My own words'))).toEqual([]);
  await context.close();
  expect(await served.stop()).toBe(0);
});
