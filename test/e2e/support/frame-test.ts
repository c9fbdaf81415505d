import AxeBuilder from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { InboxStand } from './inbox-stand.ts';

/** What a browser says by itself about a host that is not there. */
const HOST_GONE = /ERR_CONNECTION_REFUSED|WebSocket connection to/;

/** axe finds nothing, in both themes. */
export async function isAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(
      ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
    );
    expect(found).toEqual([]);
  }
}

/** Moves the focus on with Tab until it stands on this control; fails when it never does. */
export async function tabTo(page: Page, name: string | RegExp, role?: string): Promise<void> {
  const matches = (found: string): boolean => (typeof name === 'string' ? found === name : name.test(found));
  for (let press = 0; press < 120; press += 1) {
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      return {
        role: element?.getAttribute('role') ?? element?.tagName.toLowerCase() ?? '',
        name: (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim(),
      };
    });
    if (matches(at.name) && (role === undefined || at.role === role)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never came to ${String(name)}`);
}

/** A hub of its own and a window that may say nothing on its console. */
export const test = base.extend<{ stand: InboxStand; complaints: string[] }>({
  // Playwright asks for the pattern, though nothing is used of it.
  stand: async ({}, use) => {
    const stand = await InboxStand.start();
    await use(stand);
    await stand.close();
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()) && !HOST_GONE.test(message.text()))
          complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';
