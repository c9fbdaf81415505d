import { InboxPage } from './support/inbox-page.ts';
import { COMMIT } from './support/inbox-stand.ts';
import { expect, test } from './support/inbox-test.ts';
import { SAMPLE_DIFF } from './support/sample-diff.ts';

const CHOICES = ['Round to 2 decimal places', 'Round to the nearest rupee'];

test.describe('with the mouse', () => {
  test('one press on an answer stores it, shows the next item, and can be undone', async ({
    page,
    stand,
    inbox,
  }) => {
    const project = stand.project('invoice-service');
    const first = await stand.asks(project, 'Round line totals', 'How?', CHOICES);
    const second = await stand.asks(project, 'Embed fonts', 'Which?', ['all', 'some']);
    await stand.open(page);
    await expect(page.getByRole('region', { name: 'Question from Claude Code (untrusted)' })).toContainText(
      'How?',
    );
    await inbox.answers().nth(1).click();
    await inbox.shows(second.number);
    expect(stand.item(first.number)).toMatchObject({ state: 'answered', answer: CHOICES[1] });
    await expect(inbox.option(first.number)).toHaveCount(0);

    await inbox.button('Undo').click();
    await inbox.shows(first.number);
    expect(stand.item(first.number)).toMatchObject({ state: 'open', dispatchAt: null });
    await expect(inbox.option(first.number)).toHaveAttribute('aria-selected', 'true');
  });

  test('a reply that was begun outlives the window, and comes back when it is undone', async ({
    page,
    stand,
    inbox,
  }) => {
    const item = await stand.asks(stand.project('a'), 'Round line totals', 'How?');
    await stand.open(page);
    await inbox.reply.fill('Half up');
    await page.reload();
    await expect(inbox.reply).toHaveValue('Half up');
    await inbox.button('Send reply').click();
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
    expect(stand.item(item.number)).toMatchObject({ state: 'answered', answer: 'Half up' });
    await inbox.button('Undo').click();
    await expect(inbox.reply).toHaveValue('Half up');
  });

  test('an offer is approved with the commit that was looked at', async ({ page, stand, inbox }) => {
    const project = stand.project('a', { settings: { testCommand: ['npm', 'test'] } });
    const item = await stand.offers(project, 'Cache lookups', { diff: SAMPLE_DIFF, output: '3 passed\n' });
    await stand.open(page);
    await expect(page.getByRole('region', { name: 'Test output' })).toContainText('3 passed');
    await inbox.button('Approve').click();
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
    expect(stand.item(item.number)).toMatchObject({ state: 'approved', offer: { commit: COMMIT } });
  });

  test('without a test command approving asks once', async ({ page, stand, inbox }) => {
    const item = await stand.offers(stand.project('a'), 'Cache lookups', { diff: SAMPLE_DIFF });
    await stand.open(page);
    await expect(page.getByText('No test command')).toBeVisible();
    await inbox.button('Approve').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('no test command');
    expect(stand.item(item.number).state).toBe('open');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => stand.item(item.number).state).toBe('approved');
  });

  test('a note on a line goes back to the agent with what is said of the whole', async ({
    page,
    stand,
    inbox,
  }) => {
    const item = await stand.offers(stand.project('a'), 'Cache lookups', { diff: SAMPLE_DIFF });
    await stand.open(page);
    const file = page.getByRole('region', { name: 'src/tariff/lookup.ts' });
    await file.getByRole('button', { name: 'Add note on line 14', exact: true }).click();
    await file.getByRole('textbox', { name: 'Note on line 14' }).fill('Drop the whole cache.');
    await file.getByRole('button', { name: 'Save note' }).click();
    await page.reload();
    await expect(file.getByText('Drop the whole cache.')).toBeVisible();
    await page.getByRole('button', { name: /^Send back/ }).click();
    await page.getByRole('textbox', { name: 'Note for the agent' }).fill('Nearly.');
    await inbox.button('Send back').click();
    await expect.poll(() => stand.item(item.number).state).toBe('sent_back');
    expect(stand.item(item.number).answer).toBe(
      'Nearly.\n\nsrc/tariff/lookup.ts, line 14: `const hit = cache.get(year);`\nDrop the whole cache.',
    );
  });

  test('rejecting asks once, and says what becomes of the work', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'Round line totals', 'How?');
    await stand.open(page);
    await inbox.button('Reject').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(
      'Its commits stay on their branch; other changes are kept on a side ref.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(stand.item(item.number).state).toBe('open');
    await inbox.button('Reject').click();
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await expect.poll(() => stand.item(item.number).state).toBe('rejected');
  });

  test('an action that takes a value asks for it in its place', async ({ page, stand, inbox }) => {
    const project = stand.project('a', { settings: { maxQuestions: 1 } });
    const first = await stand.asks(project, 'Round line totals', 'How?', CHOICES);
    stand.world.core.inbox.answer(first.number, 'yes', { name: 'asha', via: 'cli' });
    stand.world.executor.script.push({
      outcome: { ...ASKS_AGAIN },
    });
    await stand.world.until('a review', () => stand.world.open().some((each) => each.kind === 'review'));
    const [review] = stand.world.open();
    await stand.open(page);
    await page.getByRole('button', { name: /^Allow 3 more/ }).click();
    await page.getByRole('textbox', { name: /how many more questions/ }).fill('2');
    await inbox.button('Allow 3 more').click();
    await expect.poll(() => stand.item(review?.number ?? first.number).answer).toBe('2');
  });

  test('a raise of the budget begins with an amount that lets the task go on', async ({
    page,
    stand,
    inbox,
  }) => {
    const project = stand.project('a', { settings: { budgetUsd: 0 } });
    const task = stand.world.addTask(project.id);
    await stand.world.untilState(task.id, 'parked');
    const [item] = stand.world.open();
    await stand.open(page);
    await page.getByRole('button', { name: /^Raise the budget/ }).click();
    await expect(page.getByRole('textbox', { name: /the new budget in USD/ })).toHaveValue('0.5');
    await inbox.button('Raise the budget').click();
    await expect.poll(() => item && stand.item(item.number).answer).toBe('0.5');
  });
});

const ASKS_AGAIN = {
  kind: 'question',
  question: 'And the tax?',
  options: ['before', 'after'],
  summary: 'I saw tax.',
  report: {
    sessionId: null,
    subtype: 'success',
    isError: false,
    numTurns: 1,
    durationMs: 10,
    totalMicroUsd: null,
    turnMicroUsd: null,
    usageByModel: [],
    denials: [],
  },
} as const;

test.describe('by keyboard alone', () => {
  test('j and k move, Enter goes in, a digit answers, z takes it back', async ({ page, stand, inbox }) => {
    const project = stand.project('a');
    const first = await stand.asks(project, 'One', 'First?', CHOICES);
    const second = await stand.asks(project, 'Two', 'Second?', CHOICES);
    await stand.open(page);
    await inbox.shows(first.number);
    await inbox.press('j');
    await inbox.shows(second.number);
    await expect(inbox.list).toBeFocused();
    await inbox.press('k', 'Enter');
    await inbox.shows(first.number);
    await expect(inbox.answers().first()).toBeFocused();
    await inbox.press('Escape');
    await expect(inbox.list).toBeFocused();
    await inbox.isArmed();
    await inbox.press('2');
    await inbox.shows(second.number);
    await expect(inbox.list).toBeFocused();
    expect(stand.item(first.number)).toMatchObject({ state: 'answered', answer: CHOICES[1] });
    await inbox.press('z');
    await inbox.shows(first.number);
    expect(stand.item(first.number).state).toBe('open');
  });

  test('Enter on a focused answer sends it', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.list.focus();
    await inbox.press('Enter', 'Tab', 'Enter');
    await expect.poll(() => stand.item(item.number).answer).toBe(CHOICES[1]);
  });

  test('r goes into the reply box, and Ctrl Enter sends', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.shows(item.number);
    await inbox.press('r');
    await expect(inbox.reply).toBeFocused();
    await page.keyboard.type('1 or 2, j and k: neither');
    await inbox.press('Control+Enter');
    await expect.poll(() => stand.item(item.number).answer).toBe('1 or 2, j and k: neither');
  });

  test('an offer is read, marked, noted and sent back', async ({ page, stand, inbox }) => {
    const item = await stand.offers(stand.project('a'), 'Cache lookups', { diff: SAMPLE_DIFF });
    await stand.open(page);
    await expect(page.getByText('0 of 5 files viewed')).toBeVisible();
    await inbox.press('n', 'v');
    await expect(page.getByRole('checkbox', { name: 'README.md viewed' })).toBeChecked();
    await expect(page.getByText('1 of 5 files viewed')).toBeVisible();
    await inbox.press('n', 'c');
    await expect(page.getByRole('textbox', { name: /^Note on line/ })).toBeFocused();
    await page.keyboard.type('Why?');
    await inbox.press('Control+Enter');
    await expect(page.getByText('Why?')).toBeVisible();
    expect(stand.item(item.number).state).toBe('open');
    await inbox.press('b');
    await expect(page.getByRole('textbox', { name: 'Note for the agent' })).toBeFocused();
    await inbox.press('Control+Enter');
    await expect.poll(() => stand.item(item.number).answer).toContain('src/tariff/lookup.ts, line');
  });

  test('Ctrl Enter approves, x rejects after a question', async ({ page, stand, inbox }) => {
    const project = stand.project('a', { settings: { testCommand: ['npm', 'test'] } });
    const offer = await stand.offers(project, 'Cache lookups', { diff: SAMPLE_DIFF });
    const asked = await stand.asks(project, 'One', 'First?');
    await stand.open(page);
    await inbox.shows(offer.number);
    await inbox.press('Control+Enter');
    await inbox.shows(asked.number);
    expect(stand.item(offer.number).state).toBe('approved');
    await expect(async () => {
      await inbox.press('x');
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 200 });
    }).toPass();
    await inbox.press('Tab', 'Tab', 'Enter');
    await expect.poll(() => stand.item(asked.number).state).toBe('rejected');
  });

  test('F6 goes from area to area, and ? lists the keys', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.shows(item.number);
    await inbox.list.focus();
    await inbox.press('F6');
    await expect(page.getByRole('region', { name: `Item #${item.number}` })).toBeFocused();
    await inbox.press('F6');
    await expect(inbox.reply).toBeFocused();
    await inbox.press('F6');
    await expect(page.getByRole('link', { name: 'Inbox' }).first()).toBeFocused();
    await inbox.press('Shift+?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible();
    await inbox.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test.describe('what is not meant does nothing', () => {
  test('a double press answers one item', async ({ page, stand, inbox }) => {
    const project = stand.project('a');
    const first = await stand.asks(project, 'One', 'First?', CHOICES);
    const second = await stand.asks(project, 'Two', 'Second?', CHOICES);
    await stand.open(page);
    await inbox.answers().first().dblclick();
    await inbox.shows(second.number);
    expect(stand.item(first.number).state).toBe('answered');
    expect(stand.item(second.number).state).toBe('open');
    await inbox.isArmed();
    await inbox.press('z');
    await inbox.shows(first.number);
    await inbox.isArmed();
    await inbox.press('1', '1');
    await inbox.shows(second.number);
    expect(stand.item(second.number).state).toBe('open');
  });

  test('a permission has no key but its digits, and leaving it decides nothing', async ({
    page,
    stand,
    inbox,
  }) => {
    const project = stand.project('a');
    const item = stand.inserts(project, { kind: 'permission', question: 'Bash' });
    await stand.open(page);
    await inbox.shows(item.number);
    await inbox.list.focus();
    await inbox.press('Enter', 'Enter', 'Control+Enter', 'Escape');
    expect(stand.item(item.number).state).toBe('open');
    await expect(page.getByRole('alert').filter({ hasText: 'Not sent' })).toHaveCount(0);
    await inbox.press('1');
    await expect(page.getByRole('alert').filter({ hasText: 'has ended' })).toBeVisible();
    for (const name of ['Allow', 'Deny', 'Deny with a message']) {
      await expect(inbox.button(name)).toBeEnabled();
    }
  });

  test('a reply that looks like personal data is refused below its box and kept', async ({
    page,
    stand,
    inbox,
  }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?');
    await stand.open(page);
    await inbox.reply.fill('The card is 4111 1111 1111 1111');
    await inbox.button('Send reply').click();
    await expect(page.getByRole('alert').filter({ hasText: 'Not sent' })).toBeVisible();
    await expect(inbox.reply).toHaveValue('The card is 4111 1111 1111 1111');
    await expect(inbox.reply).toHaveAttribute('aria-invalid', 'true');
    expect(stand.item(item.number).state).toBe('open');
  });
});

test.describe('the world goes on', () => {
  test('two windows agree, and who comes second keeps the text', async ({ browser, page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    const context = await browser.newContext();
    const other = new InboxPage(await context.newPage());
    await stand.open(page);
    await stand.open(other.page);
    await inbox.reply.fill('My own words');
    await other.answers().first().click();
    await expect(page.getByText(/This item was answered .* Your text is kept below/)).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Your text' })).toHaveValue('My own words');
    await expect(inbox.option(item.number)).toHaveCount(0);
    await other.button('Undo').click();
    await inbox.shows(item.number);
    await expect(inbox.reply).toHaveValue('My own words');
    await context.close();
  });

  test('what was answered can be looked at, and taken back there once its notice is gone', async ({
    page,
    stand,
    inbox,
  }) => {
    const project = stand.project('a');
    const first = await stand.asks(project, 'One', 'First?', CHOICES);
    const second = await stand.asks(project, 'Two', 'Second?', CHOICES);
    const third = await stand.asks(project, 'Three', 'Third?');
    await stand.open(page);
    await inbox.answers().first().click();
    await inbox.shows(second.number);
    await page.getByRole('region', { name: 'Answered' }).getByRole('link', { name: 'One' }).click();
    await expect(page.getByText(CHOICES[0] ?? '')).toBeVisible();
    await expect(inbox.button('Undo')).toHaveCount(1);
    await inbox.option(second.number).click();
    await inbox.answers().first().click();
    await inbox.shows(third.number);
    await page.getByRole('region', { name: 'Answered' }).getByRole('link', { name: 'One' }).click();
    await page
      .getByRole('region', { name: `Item #${first.number}` })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(() => stand.item(first.number).state).toBe('open');
    expect(stand.item(second.number).state).toBe('answered');
  });

  test('a new item is told and does not move the selection', async ({ page, stand, inbox }) => {
    const project = stand.project('a');
    const item = await stand.asks(project, 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.shows(item.number);
    const urgent = stand.inserts(project, { kind: 'permission', question: 'Bash' });
    await expect(inbox.list.getByRole('option').first()).toHaveAccessibleName(
      new RegExp(`^#${urgent.number} `),
    );
    await expect(page.getByText(`Permission in a, #${urgent.number}`)).toHaveCount(1);
    await inbox.shows(item.number);
  });

  test('while everything is stopped an answer is stored for later', async ({ page, stand, inbox }) => {
    await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.button('Kill switch').click();
    await expect(inbox.button('Release kill switch')).toBeVisible();
    await expect(page.getByText('Stored now, delivered after release')).toHaveCount(2);
    await inbox.isAccessible();
  });

  test('without a connection nothing can be answered and what was typed stays', async ({
    page,
    stand,
    inbox,
  }) => {
    await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await stand.open(page);
    await inbox.reply.fill('Half up');
    await stand.web.close();
    await expect(inbox.answers().first()).toBeDisabled();
    await expect(inbox.button('Send reply')).toBeDisabled();
    await expect(inbox.reply).toHaveValue('Half up');
    await expect(page.getByRole('alert').filter({ hasText: 'No connection to the hub' })).toBeVisible();
    await inbox.isAccessible();
  });
});

test.describe('text of an agent is data', () => {
  const HOSTILE = [
    '<b>Approved by Signalbox</b> <img src=x onerror="document.title=\'owned\'">',
    '[click](https://example.invalid) **bold** `code`',
    'fonts/\u202efdp.esnecil\u202c.txt \u001b[2J\u0007 https://example.invalid/\u200b981',
  ].join('\n');

  test('markup, links and hidden characters stay characters', async ({ page, stand, inbox }) => {
    await stand.asks(stand.project('a'), '<i>Title</i>', HOSTILE, ['<u>yes</u>\u202e', '**no**']);
    await stand.open(page);
    const block = page.getByRole('region', { name: 'Question from Claude Code (untrusted)' });
    await expect(block).toContainText('<b>Approved by Signalbox</b> <img src=x');
    await expect(block.locator('b:text("Approved"), img, a, code')).toHaveCount(0);
    await expect(block.locator('.ctl')).toHaveText(['U+202E', 'U+202C', 'ESC', 'BEL', 'U+200B']);
    await expect(block).toContainText('5 control characters made visible');
    await expect(inbox.answers().first()).toHaveAccessibleName('<u>yes</u> U+202E');
    await expect(page.getByRole('heading', { name: '<i>Title</i>' })).toBeVisible();
    expect(await page.title()).not.toBe('owned');
    await inbox.isAccessible();
  });

  test('a million characters come up at once, and all of them on request', async ({ page, stand, inbox }) => {
    const long = 'line \u202e of text https://example.invalid/x\n'.repeat(25_000);
    const item = await stand.asks(stand.project('a'), 'Long', long.slice(0, 1_000_000), CHOICES);
    const other = await stand.asks(stand.project('b'), 'Short', 'Hm?');
    await stand.open(page);
    await inbox.shows(item.number);
    await inbox.option(other.number).click();
    await inbox.shows(other.number);
    // Measured inside the page; this file itself knows no DOM.
    const shownAfter = await page.evaluate<number>(`(async () => {
      const start = performance.now();
      document.getElementById('inbox-item-${item.number}').click();
      while (document.querySelector('[data-option="1"]') === null) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return performance.now() - start;
    })()`);
    expect(shownAfter).toBeLessThan(500);
    await inbox.button('Show all 1,000,000 characters').click();
    await expect(inbox.button('Show less')).toBeVisible();
  });
});

test.describe('looks', () => {
  test('every kind of item is accessible in both themes', async ({ page, stand, inbox }) => {
    test.setTimeout(60_000);
    const project = stand.project('a', { settings: { testCommand: ['npm', 'test'] } });
    const numbers = [
      await stand.offers(project, 'Cache lookups', { diff: SAMPLE_DIFF, output: '3 passed' }),
      await stand.asks(project, 'One', 'First?', CHOICES),
      stand.inserts(project, { kind: 'permission', question: 'Bash' }),
      stand.inserts(project, { kind: 'gate', question: 'Commit the repair?', summary: 'Repaired.' }),
      stand.inserts(project, {
        kind: 'manual',
        cause: 'login',
        question: 'Claude Code needs a login.',
        actions: [{ name: 'check-again', title: 'Check again', consequence: 'One call is let through.' }],
      }),
    ].map(({ number }) => number);
    await stand.open(page);
    for (const number of numbers) {
      await inbox.option(number).click();
      await inbox.shows(number);
      await inbox.isAccessible();
    }
  });

  test('below 800 pixels the detail takes the place of the list', async ({ page, stand, inbox }) => {
    const item = await stand.asks(stand.project('a'), 'One', 'First?', CHOICES);
    await page.setViewportSize({ width: 700, height: 640 });
    await stand.open(page);
    await inbox.option(item.number).click();
    await inbox.shows(item.number);
    await expect(inbox.list).toHaveCount(0);
    await page.getByRole('link', { name: 'Back to inbox' }).click();
    await expect(inbox.list).toBeVisible();
    await inbox.isAccessible();
  });

  test('filters are part of the address, and can be cleared', async ({ page, stand, inbox }) => {
    const one = await stand.asks(stand.project('one'), 'One', 'First?', CHOICES);
    const two = await stand.offers(stand.project('two'), 'Two');
    await stand.open(page);
    await page.getByRole('button', { name: 'Project: All projects' }).click();
    await page.getByRole('menuitemradio', { name: 'two' }).click();
    await expect(inbox.option(one.number)).toHaveCount(0);
    await inbox.shows(two.number);
    await page.reload();
    await inbox.shows(two.number);
    await page.getByRole('button', { name: 'Kind: All kinds' }).click();
    await page.getByRole('menuitemradio', { name: 'Question' }).click();
    await expect(page.getByText('No items match.')).toBeVisible();
    await inbox.button('Clear filters').click();
    await expect(inbox.option(one.number)).toBeVisible();
    await expect(inbox.option(two.number)).toBeVisible();
  });

  test('with nothing to do it says what runs', async ({ page, stand, inbox }) => {
    const project = stand.project('a');
    stand.world.executor.script.push({ hold: true });
    const task = stand.world.addTask(project.id, 'Retry failed jobs');
    await stand.world.untilState(task.id, 'running');
    await stand.open(page);
    await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible();
    await expect(page.getByText('1 task is running, 0 are queued.')).toBeVisible();
    await expect(page.getByText('Retry failed jobs')).toBeVisible();
    await inbox.isAccessible();
  });
});
