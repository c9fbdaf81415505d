import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { isAccessible, tabTo, test } from './support/frame-test.ts';
import type { InboxStand } from './support/inbox-stand.ts';

const HOSTILE = '<img src=x onerror=alert(1)> \u202Etxt';

/** One answered question, one that waits, one approval: three projects' worth of figures in two. */
async function someWork(stand: InboxStand): Promise<void> {
  const [invoice, tariff] = [stand.project('invoice-service'), stand.project('tariff-engine')];
  const asked = await stand.asks(invoice, 'Round line totals', 'Two places?', ['yes', 'no']);
  await stand.call.inbox.answer({ item: asked.number, reply: { kind: 'option', option: '1' } });
  // The time in which it could be taken back is over.
  stand.world.clock.advance(6000);
  await stand.asks(tariff, HOSTILE, 'Which year?');
  await stand.offers(tariff, 'Cache tariff lookups');
}

const rows = (table: Locator): Promise<string[][]> =>
  table
    .locator('tbody tr:not(.gap)')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent.trim())),
    );

const openLedger = async (stand: InboxStand, page: Page): Promise<void> => {
  await stand.open(page);
  await page.getByRole('link', { name: 'Ledger' }).click();
  await expect(page.getByRole('heading', { name: 'Ledger', level: 1 })).toBeVisible();
};

test('shows the costs that the relay report adds up, by project, day and model', async ({ page, stand }) => {
  await someWork(stand);
  await openLedger(stand, page);
  const report = await stand.call.report.relay({});
  const costs = page.getByRole('table', { name: 'Costs' });
  const total = async (): Promise<number> =>
    Number(
      await costs
        .locator('tfoot td')
        .evaluateAll((all) => all.map((cell) => cell.textContent).find((text) => /\.\d/.test(text))),
    );

  expect(await total()).toBeCloseTo(report.totals.costUsd, 4);
  const byProject = await rows(costs);
  expect(byProject.map(([project]) => project).sort()).toEqual(['invoice-service', 'tariff-engine']);
  expect(byProject.reduce((sum, row) => sum + Number(row[4]), 0)).toBeCloseTo(report.totals.costUsd, 4);

  for (const view of ['Day', 'Model']) {
    await page.getByRole('group', { name: 'Costs by' }).getByRole('button', { name: view }).click();
    expect(await total()).toBeCloseTo(report.totals.costUsd, 4);
  }
  await expect(page.getByRole('img', { name: /^Cost per day, estimate/ })).toBeVisible();
});

test('shows calls of each day, questions with their waits, and says where nothing waited for a lock', async ({
  page,
  stand,
}) => {
  await someWork(stand);
  await openLedger(stand, page);
  const summary = await stand.call.hub.summary();
  const [today] = await rows(page.getByRole('table', { name: 'Calls' }));
  expect(today?.slice(1, 3)).toEqual([String(summary.calls.used), String(summary.calls.limit)]);

  const waits = await rows(page.getByRole('table', { name: 'Relay waits' }));
  expect(waits).toHaveLength(2);
  expect(waits[0]?.at(-1)).toBe('waiting');
  expect(waits[1]?.at(-1)).toBe('web');
  await expect(page.getByText('Nothing waited for a lock in these days.')).toBeVisible();
});

test('lists waits for a lock when there were any', async ({ page, stand }) => {
  const project = stand.project('invoice-service');
  const task = stand.world.addTask(project.id, 'Round line totals');
  stand.world.stores.ledger.append({
    kind: 'account.lock_wait',
    projectId: project.id,
    project: project.name,
    taskId: task.id,
    data: { waitedMs: 64_000 },
  });
  await openLedger(stand, page);
  const [wait] = await rows(page.getByRole('table', { name: 'Lock waits' }));
  expect(wait?.slice(1)).toEqual(['invoice-service', 'agent account', String(task.number), '1 min']);
});

test('text of agents and projects stays text', async ({ page, stand }) => {
  await someWork(stand);
  await openLedger(stand, page);
  await expect(page.getByRole('table', { name: 'Relay waits' }).getByText('<img src=x')).toBeVisible();
  await expect(page.locator('main img:not([role])')).toHaveCount(0);
  expect(await page.locator('main').evaluate((main) => main.textContent.includes('\u202E'))).toBe(false);
});

test('follows new entries, filters them, and shows one with its hash', async ({ page, stand }) => {
  const project = stand.project('invoice-service');
  await openLedger(stand, page);
  await expect(page.getByText('Nothing recorded in these 14 days.')).toBeVisible();
  const item = await stand.asks(project, 'Round line totals', 'Two places?');
  const entries = page.getByRole('table', { name: 'Entries' });
  await expect(entries.getByText('harness.question', { exact: true })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Costs' })).toBeVisible();

  await page.getByRole('combobox', { name: 'Kind' }).selectOption('item.raised');
  await expect(entries.locator('tbody tr')).toHaveCount(1);
  expect((await rows(entries))[0]?.slice(2, 5)).toEqual([
    'item.raised',
    'invoice-service',
    `#${item.number}`,
  ]);
  await entries.getByRole('button', { name: /^Entry / }).click();
  const [stored] = await stand.call.ledger.list({ kind: 'item.raised' });
  await expect(page.getByRole('dialog').getByText(stored?.hash ?? 'none')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('textbox', { name: 'Task number' }).fill('99');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('99');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(entries.getByText('harness.question', { exact: true })).toBeVisible();
});

test('what is written while it does not follow comes with the switch', async ({ page, stand }) => {
  const project = stand.project('invoice-service');
  stand.world.addTask(project.id, 'One');
  await openLedger(stand, page);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('policy.data_class');
  await expect(page.getByText('No entries match.')).toBeVisible();
  const follow = page.getByRole('switch', { name: 'Follow live' });
  await follow.click();
  stand.world.stores.ledger.append({ kind: 'policy.data_class', data: {} });
  await expect(follow).toHaveAttribute('aria-checked', 'false');
  await expect(page.getByText('No entries match.')).toBeVisible();
  await follow.click();
  await expect(page.getByRole('table', { name: 'Entries' }).locator('tbody tr')).toHaveCount(1);
});

test('says that the chain holds, and where it is broken', async ({ page, stand }) => {
  const project = stand.project('invoice-service');
  await stand.asks(project, 'Round line totals', 'Two places?');
  await openLedger(stand, page);
  const head = stand.world.stores.ledger.head().seq;
  await expect(page.getByText('Chain verified')).toBeVisible();
  await expect(page.getByText(`, ${head} entries,`)).toBeVisible();

  // As a store that somebody has written to would answer.
  const { ledger } = stand.world.stores;
  const real = ledger.verifySteps.bind(ledger);
  Object.defineProperty(ledger, 'verifySteps', {
    configurable: true,
    value: function* (options: { full: boolean }) {
      const check = yield* real(options);
      return { ...check, ok: false, brokenAt: 3 };
    },
  });
  await page.getByRole('button', { name: 'Check all' }).click();
  await expect(page.getByText('Chain broken at entry 3')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Export' })).toBeEnabled();
});

for (const [name, format] of [
  ['All entries as CSV', 'csv'],
  ['All entries as JSON lines', 'jsonl'],
] as const) {
  test(`exports every entry as ${format}, page by page, as the command line does`, async ({
    page,
    stand,
  }) => {
    const project = stand.project('invoice-service');
    for (let entry = 0; entry < 2300; entry += 1)
      stand.world.stores.ledger.append({ kind: 'policy.data_class', data: { entry }, project: project.name });
    await openLedger(stand, page);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^signalbox-ledger-\\d{4}-\\d\\d-\\d\\d\\.${format}$`),
    );
    const text = readFileSync(await download.path(), 'utf8');
    const { lines } = await stand.call.ledger.export({ format, afterSeq: 0, limit: 10_000 });
    expect(text).toBe(`${lines.join('\n')}\n`);
  });
}

test('a long table holds only the rows in sight, and older ones can be loaded', async ({ page, stand }) => {
  stand.project('invoice-service');
  for (let entry = 0; entry < 1200; entry += 1)
    stand.world.stores.ledger.append({ kind: 'policy.data_class', data: { entry } });
  await openLedger(stand, page);
  const entries = page.getByRole('table', { name: 'Entries' });
  await expect(entries).toHaveAttribute('aria-rowcount', '501');
  expect(await entries.locator('tbody tr:not(.gap)').count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Load older ones' }).click();
  await expect(entries).toHaveAttribute('aria-rowcount', '1201');
  const box = page.getByRole('region', { name: 'Entries, scrollable' });
  await box.focus();
  await page.keyboard.press('End');
  await expect(entries.getByRole('button', { name: 'Entry 1', exact: true })).toBeVisible();
});

test('works by keyboard alone and is clean for axe in both themes', async ({ page, stand }) => {
  await someWork(stand);
  await stand.open(page);
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await expect(page.getByRole('table', { name: 'Costs' })).toBeVisible();
  await tabTo(page, '7 days');
  await page.keyboard.press('Space');
  await expect(page.getByRole('table', { name: 'Calls' }).locator('tbody tr')).toHaveCount(7);
  await tabTo(page, 'Export');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'All entries as CSV' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('img', { name: /^Cost per day/ })).toBeVisible();
  await isAccessible(page);
});

test('one project at a time, and days since a date', async ({ page, stand }) => {
  await someWork(stand);
  await openLedger(stand, page);
  await page.getByRole('combobox', { name: 'Project' }).selectOption('invoice-service');
  await expect(page.getByRole('table', { name: 'Costs' }).locator('tbody tr')).toHaveCount(1);
  await page.getByRole('button', { name: 'Custom' }).click();
  const since = new Date(Date.now() - 2 * 24 * 3600 * 1000);
  const day = [since.getFullYear(), since.getMonth() + 1, since.getDate()].map((part) =>
    String(part).padStart(2, '0'),
  );
  await page
    .getByRole('textbox', { name: 'Since' })
    .or(page.getByLabel('Since', { exact: true }))
    .first()
    .fill(day.join('-'));
  await expect(page.getByRole('table', { name: 'Calls' }).locator('tbody tr')).toHaveCount(3);
});

test('one model at a time: its part of each sum, and nothing that is of no model', async ({
  page,
  stand,
}) => {
  await someWork(stand);
  await openLedger(stand, page);
  const costs = page.getByRole('table', { name: 'Costs' });
  const report = await stand.call.ledger.totals({ days: 14 });
  const [model] = report.models;
  if (model === undefined) throw new Error('no model cost anything');
  const filter = page.getByRole('combobox', { name: 'Model', exact: true });
  await filter.selectOption({ index: 1 });
  await expect(costs.getByRole('columnheader', { name: 'Calls' })).toHaveCount(0);
  const amount = model.reportedUsd + model.assumedUsd;
  for (const view of ['Project', 'Day', 'Model']) {
    await page.getByRole('group', { name: 'Costs by' }).getByRole('button', { name: view }).click();
    await expect(costs.locator('tfoot')).toContainText(amount.toFixed(2));
  }
  await filter.selectOption({ index: 0 });
  await page.getByRole('group', { name: 'Costs by' }).getByRole('button', { name: 'Project' }).click();
  await expect(costs.getByRole('columnheader', { name: 'Calls' })).toBeVisible();
});
