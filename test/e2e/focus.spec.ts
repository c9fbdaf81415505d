import type { Locator, Page } from '@playwright/test';
import { runs } from './support/board-scene.ts';
import { expect, test } from './support/frame-test.ts';
import type { InboxStand } from './support/inbox-stand.ts';
import { SAMPLE_DIFF } from './support/sample-diff.ts';
import { foldersAtHome } from './support/settings-scene.ts';

interface Dialog {
  readonly name: string;
  readonly place: string;
  readonly before?: (stand: InboxStand) => Promise<unknown> | void;
  /** What has the focus when it opens. */
  readonly opener: (page: Page) => Locator;
  readonly key?: string;
}
const button = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name, ...(typeof name === 'string' ? { exact: true } : {}) }).first();
const asks = (stand: InboxStand) => stand.asks(stand.project('a'), 'Round line totals', 'How?');

// Every dialog of the window; a new one belongs here.
const DIALOGS: readonly Dialog[] = [
  { name: 'reject an item', place: '/inbox', before: asks, opener: button('Reject') },
  {
    name: 'approve without tests',
    place: '/inbox',
    before: (stand) => stand.offers(stand.project('a'), 'Cache', { diff: SAMPLE_DIFF }),
    opener: button('Approve'),
  },
  { name: 'stop the hub', place: '/settings', opener: button('Stop hub') },
  {
    name: 'cancel a task',
    place: '/task/1',
    before: (stand) => runs(stand, stand.project('a'), 'Round line totals'),
    opener: button('Cancel task'),
  },
  { name: 'add a task', place: '/board', opener: button('Add task') },
  { name: 'an entry of the ledger', place: '/ledger', before: asks, opener: button(/^Entry \d/) },
  { name: 'choose a folder', place: '/first-run', before: foldersAtHome, opener: button(/^Choose/) },
  {
    name: 'receipt of the kill switch',
    place: '/board',
    before: (stand) => stand.call.hub.kill({ reason: '' }),
    opener: button('Show receipt'),
  },
  {
    name: 'release of the kill switch',
    place: '/board',
    before: (stand) => stand.call.hub.kill({ reason: '' }),
    opener: button('Release kill switch'),
  },
  { name: 'search', place: '/board', opener: button(/^Search or run/) },
  { name: 'search by its key', place: '/board', opener: button('Add task'), key: 'Control+k' },
  { name: 'list of keys', place: '/board', opener: button('Add task'), key: 'Shift+?' },
];

test.describe('a dialog gives the focus back to what had it', () => {
  for (const { name, place, before, opener, key = 'Enter' } of DIALOGS) {
    test(name, async ({ page, stand }) => {
      await before?.(stand);
      if (stand.world.stores.projects.list().length === 0) stand.project('a', { slots: 0 });
      await stand.open(page, place);
      const control = opener(page);
      await expect(control).toBeEnabled();
      await control.focus();
      await page.keyboard.press(key);
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
      await expect(dialog).toBeVisible();
      await expect(dialog.locator(':focus')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(control).toBeFocused();
    });
  }
});
