import { expect } from '@playwright/test';
import type { NotifyReportInput } from '../../src-shared/api/notify.ts';
import type { InboxStand } from './support/inbox-stand.ts';
import { isAccessible, tabTo, test } from './support/frame-test.ts';
import { fineMachine } from './support/settings-scene.ts';

test.beforeEach(({ stand }) => {
  fineMachine(stand);
  stand.project('invoice-service');
});

test('says which Claude Code was found, its login, and what to do about a problem', async ({
  page,
  stand,
}) => {
  await stand.open(page, '/settings');
  const main = page.getByRole('main');
  await expect(main.getByText('2.1.332 at /home/asha/.local/bin/claude')).toBeVisible();
  await expect(main.getByText('logged in (subscription)')).toBeVisible();
  await expect(main.getByText('Make room on the disk with the data folder.')).toBeVisible();

  stand.machine.doctor = () =>
    Promise.resolve([
      {
        name: 'Claude Code',
        status: 'problem',
        found: 'not found: claude on PATH',
        fix: 'Install it: npm install',
      },
      { name: 'login', status: 'problem', found: '<b>logged out</b>', fix: 'Log in: claude auth login' },
    ]);
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(main.getByText('Install it: npm install')).toBeVisible();
  await expect(main.getByText('<b>logged out</b>')).toBeVisible();
});

test('theme and language change at once, and are there before the hub answers next time', async ({
  page,
  stand,
}) => {
  await stand.open(page, '/settings/general');
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('group', { name: 'Language' }).getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const { preferences } = await stand.call.settings.show();
  expect([preferences.theme.value, preferences.language.value]).toEqual(['dark', 'de']);

  await page.getByRole('group', { name: 'Sprache' }).getByRole('button', { name: 'English' }).click();
  await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'System' }).click();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
});

test('letter keys can be switched off and on', async ({ page, stand }) => {
  await stand.open(page, '/settings/shortcuts');
  const letterKeys = page.getByRole('switch', { name: 'Letter keys' });
  await letterKeys.click();
  await expect(letterKeys).toHaveAttribute('aria-checked', 'false');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  await letterKeys.click();
  await expect(letterKeys).toHaveAttribute('aria-checked', 'true');
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await expect(page.getByRole('heading', { name: 'Board', level: 1 })).toBeVisible();
});

test('a cap says who set it, is changed in place, and goes back to its default', async ({ page, stand }) => {
  await stand.open(page, '/settings/caps');
  const caps = page.getByRole('table', { name: 'Caps' });
  const calls = caps.getByRole('row', { name: /^Calls a day/ });
  await expect(calls).toContainText('20');
  await expect(caps.getByRole('row', { name: /^Processes at once/ })).toContainText('config.toml, line 14');

  await page.getByRole('button', { name: 'Change Calls a day', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Calls a day, invoice-service' });
  await field.fill('many');
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await field.fill('7');
  await page.keyboard.press('Enter');
  await expect(calls).toContainText('this project');
  const [project] = await stand.call.project.list();
  expect(project?.caps.callsPerDay).toBe(7);

  await page.getByRole('button', { name: 'Change Calls a day', exact: true }).click();
  await page.getByRole('button', { name: 'Use default' }).click();
  await expect(calls).not.toContainText('this project');
});

test('the caps of an agent are changed in place', async ({ page, stand }) => {
  await stand.open(page, '/settings/caps');
  await page.getByRole('button', { name: 'Change Calls a day of Claude Code' }).click();
  await page.getByRole('textbox', { name: 'Calls a day, Claude Code' }).fill('9');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('table', { name: 'Agents' }).getByRole('row', { name: /Calls a day/ }),
  ).toContainText('9');
  expect((await stand.call.agent.show({ name: 'claude' })).callsPerDay).toBe(9);
});

test('notifications are switched by kind, with quiet hours', async ({ page, stand }) => {
  await stand.open(page, '/settings/notifications');
  await page.getByRole('switch', { name: 'Finished tasks' }).click();
  await page.getByRole('switch', { name: 'Quiet hours' }).click();
  await page.getByLabel('From', { exact: true }).fill('21:15');
  await expect
    .poll(async () => (await stand.call.settings.show()).preferences.quietHours.value)
    .toEqual({ from: '21:15', to: '07:30' });
  expect((await stand.call.settings.show()).preferences.notifyFinished.value).toBe(false);
});

/** Plays who raises notifications: answers each request. @returns what ends it */
function raising(stand: InboxStand, answer: (kind: string) => NotifyReportInput['event'] | null) {
  const { tests } = stand.notices;
  return tests.serve('desktop', ({ id, kind }) => {
    const event = answer(kind);
    if (event !== null) tests.report({ id, event });
  });
}

test('a test notification says in words what became of it', async ({ page, stand }) => {
  await stand.open(page, '/settings/notifications');
  const send = page.getByRole('button', { name: 'Send a test notification' });
  const result = page.getByRole('status', { name: 'Result of the test' });
  await send.click();
  await expect(result).toHaveText('Not shown: nobody raises notifications yet. Try again in a moment.');

  const refused = raising(stand, () => ({
    kind: 'not-shown',
    reason: 'not-allowed',
    detail: 'UNErrorDomain <b>error 1</b>',
  }));
  await send.click();
  await expect(result).toContainText('the system does not let Signalbox notify');
  await expect(result).toContainText('The system says: UNErrorDomain <b>error 1</b>');
  refused.dispose();

  raising(stand, () => ({ kind: 'shown', by: 'electron', confirmed: true, clickable: true }));
  await send.focus();
  await page.keyboard.press('Enter');
  await expect(result).toHaveText('Shown by the desktop application.');
  await expect(result).toHaveAttribute('aria-live', 'polite');
  await isAccessible(page);

  await stand.call.settings.change({ change: { language: 'de' } });
  await expect(page.getByRole('status', { name: 'Ergebnis der Probe' })).toHaveText(
    'Gezeigt durch die Desktop-Anwendung.',
  );
  await expect(page.getByRole('button', { name: 'Probe-Benachrichtigung senden' })).toBeEnabled();
});

test('the self-test waits for a click and tells the time of each link', async ({ page, stand }) => {
  await stand.open(page, '/settings/notifications');
  let clicked: (() => void) | null = null;
  const { tests } = stand.notices;
  tests.serve('desktop', ({ id, kind }) => {
    if (kind !== 'question') return;
    tests.report({ id, event: { kind: 'shown', by: 'dbus', confirmed: true, clickable: true } });
    clicked = () =>
      tests.report({ id, event: { kind: 'acted', answer: 'Yes', at: new Date().toISOString() } });
  });
  await page.getByRole('button', { name: 'Time a question' }).click();
  const result = page.getByRole('status', { name: 'Result of the whole way' });
  await expect(result).toHaveText('Click the notification within 45 s.');
  await expect.poll(() => clicked).not.toBeNull();
  (clicked as unknown as () => void)();
  await expect(result).toContainText('The question went the whole way to you and back to the agent.');
  await expect(result.getByRole('listitem')).toHaveText([
    /^Agent to hub: \d+ ms$/,
    /^Hub to notification: \d+ ms$/,
    /^Notification to click: \d+ ms$/,
    /^Click to answer: \d+ ms$/,
    /^Answer to agent: \d+ ms$/,
  ]);
  await isAccessible(page);
});

test('the key for the inbox is recorded', async ({ page, stand }) => {
  await stand.open(page, '/settings/general');
  await page.getByRole('button', { name: 'Record' }).click();
  await page.keyboard.press('Control+Alt+KeyB');
  await expect
    .poll(async () => (await stand.call.settings.show()).preferences.shortcut.value)
    .toBe('CommandOrControl+Alt+B');
});

test('tells where the data lies and what policy holds', async ({ page, stand }) => {
  await stand.open(page, '/settings/data');
  await expect(page.getByText('/data', { exact: true })).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Policy' }).getByRole('row', { name: /invoice-service/ }),
  ).toContainText('synthetic');
  await page.getByRole('button', { name: 'Back up' }).click();
  await expect(page.getByText('Backed up to /backups/1')).toBeVisible();
});

test('stopping the hub asks first', async ({ page, stand }) => {
  await stand.open(page, '/settings/about');
  await page.getByRole('button', { name: 'Stop hub' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('works by keyboard alone, its list of sections follows, and it is clean for axe in both themes', async ({
  page,
  stand,
}) => {
  await stand.open(page);
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('table', { name: 'Caps' })).toBeVisible();
  const sections = page.getByRole('navigation', { name: 'Settings sections' });
  await tabTo(page, 'Policy');
  await page.keyboard.press('Enter');
  await expect(sections.getByRole('link', { name: 'Policy' })).toHaveAttribute('aria-current', 'true');
  await expect(page.getByRole('heading', { name: 'Policy' })).toBeFocused();
  await isAccessible(page);
  await tabTo(page, 'Notifications', 'a');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Notifications' })).toBeInViewport();
  await tabTo(page, 'Questions', 'switch');
  await page.keyboard.press('Space');
  await expect(page.getByRole('switch', { name: 'Questions' })).toHaveAttribute('aria-checked', 'false');
});
