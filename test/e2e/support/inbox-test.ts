import { test as base } from '@playwright/test';
import { InboxPage } from './inbox-page.ts';
import { InboxStand } from './inbox-stand.ts';

/** A test with a hub of its own and one window. */
export const test = base.extend<{ stand: InboxStand; inbox: InboxPage }>({
  // Playwright asks for the pattern, though nothing is used of it.
  stand: async ({}, use) => {
    const stand = await InboxStand.start();
    await use(stand);
    await stand.close();
  },
  inbox: async ({ page }, use) => {
    await use(new InboxPage(page));
  },
});

export { expect } from '@playwright/test';
