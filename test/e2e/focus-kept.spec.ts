import type { Page } from '@playwright/test';
import { expect, test } from './support/inbox-test.ts';

/** Name of what has the focus; null when nothing has it. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const { activeElement: at } = document;
    if (at === null || at === document.body) return null;
    return at.getAttribute('aria-label') ?? at.textContent;
  });

test.describe('the focus is never lost by keyboard', () => {
  test('an exported ledger leaves it on its button', async ({ page, stand }) => {
    stand.project('a');
    await stand.open(page, '/ledger');
    const menu = page.getByRole('button', { name: 'Export' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem').first().press('Enter');
    await download;
    await expect(menu).toBeFocused();
  });

  test('Undo gives it to the list', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'Round line totals', 'How?', ['Up', 'Down']);
    await stand.open(page);
    await inbox.answers().first().click();
    await inbox.button('Undo').focus();
    await page.keyboard.press('Enter');
    await inbox.shows(item.number);
    await expect(inbox.list).toBeFocused();
  });

  test('releasing the kill switch gives it to the switch', async ({ page, stand, inbox }) => {
    stand.project('a');
    await stand.open(page);
    await inbox.button('Kill switch').press('Enter');
    await inbox.button('Release kill switch').press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }).press('Enter');
    await expect(inbox.button('Kill switch')).toBeFocused();
  });

  test('what is switched off or goes hands it on to what is nearest', async ({ page, stand, inbox }) => {
    await stand.asks(stand.project('a'), 'Round line totals', 'How?', ['Up', 'Down']);
    await stand.open(page);
    await inbox.answers().nth(1).focus();
    await inbox
      .answers()
      .nth(1)
      .evaluate((button) => button.setAttribute('disabled', ''));
    await inbox
      .answers()
      .nth(1)
      .evaluate((button) => button.removeAttribute('disabled'));
    await expect(inbox.answers().nth(1)).toBeFocused();
    await inbox
      .answers()
      .nth(1)
      .evaluate((button) => button.remove());
    await expect(inbox.answers().first()).toBeFocused();
  });

  test('a press on an empty place takes it away', async ({ page, stand, inbox }) => {
    await stand.asks(stand.project('a'), 'Round line totals', 'How?', ['Up', 'Down']);
    await stand.open(page);
    await inbox.answers().first().focus();
    await page.getByRole('heading', { name: 'Inbox' }).click();
    expect(await focused(page)).toBeNull();
  });
});
