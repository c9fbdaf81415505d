import { InboxPage } from './support/inbox-page.ts';
import { expect, test } from './support/inbox-test.ts';
import type { InboxStand } from './support/inbox-stand.ts';

const ITEMS = 300;
/** Far fewer than there are, far more than fit on a screen. */
const MOST_ROWS = 60;

function fill(stand: InboxStand): readonly number[] {
  const project = stand.project('invoice-service');
  return Array.from({ length: ITEMS }, (_unused, index) => {
    const { number } = stand.inserts(project, { question: `Look at page ${index + 1}.` });
    return number;
  });
}

test.describe('an inbox of some hundred items', () => {
  test('has only the rows in sight, and tells how many there are', async ({ page, stand, inbox }) => {
    const [first = 0] = fill(stand);
    await stand.open(page);
    await inbox.shows(first);
    await expect(inbox.option(first)).toHaveAttribute('aria-setsize', String(ITEMS));
    await expect(inbox.option(first)).toHaveAttribute('aria-posinset', '1');
    expect(await inbox.list.getByRole('option').count()).toBeLessThan(MOST_ROWS);
    await inbox.isAccessible();
  });

  test('is gone through by keys, with the chosen row in sight', async ({ page, stand, inbox }) => {
    const numbers = fill(stand);
    await stand.open(page);
    await inbox.list.focus();
    for (const [key, at] of [
      ['End', ITEMS - 1],
      ['k', ITEMS - 2],
      ['ArrowUp', ITEMS - 3],
      ['Home', 0],
      ...Array.from({ length: 20 }, (_unused, index) => ['j', index + 1] as const),
    ] as const) {
      await inbox.press(key);
      const number = numbers[at] ?? 0;
      await inbox.shows(number);
      await expect(inbox.option(number)).toBeInViewport({ ratio: 1 });
      await expect(inbox.option(number)).toHaveAttribute('aria-selected', 'true');
      await expect(inbox.list).toHaveAttribute('aria-activedescendant', `inbox-item-${number}`);
    }
    await expect(inbox.list).toBeFocused();
  });

  test('opens at the item of a link, which a row that comes in or goes does not move away', async ({
    page,
    stand,
    inbox,
  }) => {
    const numbers = fill(stand);
    const number = numbers[200] ?? 0;
    await stand.open(page, `/inbox/${number}`);
    await inbox.shows(number);
    // The item is known before the list is.
    await page.reload();
    await inbox.shows(number);
    await expect(inbox.option(number)).toBeInViewport({ ratio: 1 });
    const { number: added } = stand.inserts(stand.project('b'), { question: 'One more.' });
    await expect(inbox.option(number)).toHaveAttribute('aria-setsize', String(ITEMS + 1));
    await expect(inbox.option(number)).toBeInViewport({ ratio: 1 });
    await inbox.list.press('End');
    await inbox.shows(added);
  });

  test('is searched whole by the palette, which draws few of it', async ({ page, stand, inbox }) => {
    const numbers = fill(stand);
    await stand.open(page);
    await inbox.shows(numbers[0] ?? 0);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await expect(palette.getByRole('option').first()).toBeVisible();
    expect(await palette.getByRole('option').count()).toBeLessThan(2 * MOST_ROWS);
    const last = numbers.at(-1) ?? 0;
    await page.keyboard.type(`page ${ITEMS}`);
    await page.keyboard.press('Enter');
    await inbox.shows(last);
    await expect(new InboxPage(page).option(last)).toBeInViewport({ ratio: 1 });
  });
});
