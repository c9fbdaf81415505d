import { expect } from '@playwright/test';
import { isAccessible, tabTo, test } from './support/frame-test.ts';
import { fineMachine, foldersAtHome, REPOSITORY } from './support/settings-scene.ts';

test('comes by itself while there is no project, and stays away once it was left', async ({
  page,
  stand,
}) => {
  fineMachine(stand);
  await stand.open(page);
  await expect(page.getByRole('heading', { name: 'Set up Signalbox' })).toBeVisible();
  const project = page.getByRole('region', { name: 'Step 2: Add a project' });
  await project.getByRole('button', { name: 'Skip' }).click();
  await page
    .getByRole('region', { name: /^Step 3/ })
    .getByRole('button', { name: 'Skip' })
    .click();
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
});

test('a window with projects starts with the inbox', async ({ page, stand }) => {
  stand.project('invoice-service');
  await stand.open(page);
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
});

test('says how to get Claude Code, and looks again', async ({ page, stand }) => {
  stand.machine.doctor = () =>
    Promise.resolve([
      {
        name: 'Claude Code',
        status: 'problem',
        found: 'not found: claude on PATH',
        fix: 'Install it: npm install -g @anthropic-ai/claude-code',
      },
    ]);
  await stand.open(page);
  const step = page.getByRole('region', { name: 'Step 1: Claude Code' });
  await expect(step.getByText('Install it: npm install -g @anthropic-ai/claude-code')).toBeVisible();
  fineMachine(stand);
  await step.getByRole('button', { name: 'Check again' }).click();
  await expect(
    step.getByText('2.1.332 at /home/asha/.local/bin/claude, logged in (subscription)'),
  ).toBeVisible();
});

test('a folder is chosen, what was found is accepted, and the first task is added', async ({
  page,
  stand,
}) => {
  fineMachine(stand);
  foldersAtHome(stand);
  await stand.open(page);
  await page.getByRole('button', { name: 'Choose folder' }).click();
  const picker = page.getByRole('dialog', { name: 'Choose folder' });
  await picker.getByRole('button', { name: /^invoice-service/ }).click();
  await picker.getByRole('button', { name: 'Use this repository' }).click();

  await expect(page.getByRole('textbox', { name: 'Test command' })).toHaveValue('npm test');
  await expect(page.getByRole('textbox', { name: 'Set-up command' })).toHaveValue('npm ci');
  await expect(page.getByText('Repository, clean')).toBeVisible();
  await page.getByRole('combobox', { name: 'Base branch' }).selectOption('release');
  await page.getByRole('button', { name: 'Add project' }).click();
  await expect(
    page.getByRole('region', { name: 'Step 2: Add a project' }).getByText(REPOSITORY),
  ).toBeVisible();
  const [added] = await stand.call.project.list();
  expect(added).toMatchObject({
    path: REPOSITORY,
    baseBranch: 'release',
    settings: { testCommand: ['npm', 'test'], setupCommand: ['npm', 'ci'], dataClass: 'synthetic' },
  });
  await page.getByRole('button', { name: 'Add the first task' }).click();
  await expect(page.getByRole('heading', { name: 'Add a task to invoice-service' })).toBeVisible();
});

test('a folder that cannot be a project says why', async ({ page, stand }) => {
  fineMachine(stand);
  await stand.open(page);
  await page.getByRole('textbox', { name: 'Folder' }).fill('/tmp/<b>nothing</b>');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('There is no repository here.');
});

test('works by keyboard alone and is clean for axe in both themes', async ({ page, stand }) => {
  fineMachine(stand);
  foldersAtHome(stand);
  await stand.open(page);
  await expect(page.getByRole('heading', { name: 'Set up Signalbox' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Folder' }).waitFor();
  await tabTo(page, 'Choose folder');
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Choose folder' });
  await expect(picker.getByRole('button', { name: /^invoice-service/ })).toBeVisible();
  await isAccessible(page);
  await tabTo(page, /^invoice-service/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'Use this repository');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Add project' })).toBeVisible();
  await isAccessible(page);
  await page.getByRole('textbox', { name: 'Test command' }).focus();
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(async () => (await stand.call.project.list()).map(({ name }) => name))
    .toEqual(['invoice-service']);
});
