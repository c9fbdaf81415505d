import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { createWorld, startServe } from '../integration/web/serve-world.ts';
import { InboxPage } from './support/inbox-page.ts';

const root = path.resolve(import.meta.dirname, '../..');

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
