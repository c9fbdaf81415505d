import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

/** The inbox as a person meets it: by names and roles. */
export class InboxPage {
  readonly page: Page;
  readonly list: Locator;

  constructor(page: Page) {
    this.page = page;
    this.list = page.getByRole('listbox', { name: 'Inbox items' });
  }

  option(number: number): Locator {
    return this.list.getByRole('option', { name: new RegExp(`^#${number} `) });
  }

  /** Waits until this item is the one that is shown. */
  async shows(number: number): Promise<void> {
    await expect(this.page.getByRole('region', { name: `Item #${number}`, exact: true })).toBeVisible();
  }

  /** The next item has been there long enough for its keys to count. */
  async isArmed(): Promise<void> {
    await expect(this.page.locator('[data-armed="true"]')).toBeVisible();
  }

  get reply(): Locator {
    return this.page.getByRole('textbox', { name: 'Reply' });
  }

  answers(): Locator {
    return this.page.getByRole('group', { name: 'Answer options' }).getByRole('button');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());
  }

  /** axe finds nothing, in both themes. */
  async isAccessible(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page: this.page }).analyze();
      const found = violations.map(
        ({ id, nodes }) =>
          `${colorScheme} ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
      );
      expect(found).toEqual([]);
    }
  }
}
