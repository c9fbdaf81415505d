import { describe, expect, test } from 'vitest';
import { entriesOf } from '../../electron-host/launch.ts';
import { ASKS, DesktopWorld, WORKS } from './desktop-world.ts';

interface Window {
  readonly url: string;
  readonly isVisible: boolean;
}
/** What the preload gives the page. */
interface Bridge {
  call(kind: string, name: string, input: unknown): Promise<unknown>;
  subscribe(name: string, input: unknown, listener: (event: unknown) => void): () => void;
}
declare const signalbox: Bridge;

describe('the window in the application', () => {
  test('shows what the hub tells over IPC, and answers go through it', async () => {
    await using world = await DesktopWorld.create([ASKS, WORKS]);
    const app = await world.start();
    await world.relay.addProject('invoices', { withoutTests: true });
    const task = await world.relay.addTask('invoices', 'Round totals', 'Round them.');
    const page = await app.page();
    // Without a project it stood on the first steps.
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('option', { name: /Round totals/ }).click();
    await page.getByRole('group', { name: 'Answer options' }).getByRole('button').first().click();
    const item = await world.relay.untilItem('approve', task);
    const [question] = await world.relay.inbox({ all: true });
    expect([item.taskNumber, question?.answer, question?.respondedVia]).toEqual([task, 'Half up', 'desktop']);
  });

  test('gets two functions and nothing of Node or Electron', async () => {
    await using world = await DesktopWorld.create();
    const page = await (await world.start()).page();
    const found = await page.evaluate(() => {
      const all = globalThis as unknown as Record<string, unknown>;
      return {
        bridge: Object.keys(signalbox),
        isFrozen: Object.isFrozen(signalbox),
        leaks: ['require', 'process', 'module', 'ipcRenderer', 'Buffer', 'electron'].filter(
          (name) => name in all,
        ),
      };
    });
    expect(found).toEqual({ bridge: ['call', 'subscribe'], isFrozen: true, leaks: [] });
  });

  test('what is no call is refused, and errors keep their code', async () => {
    await using world = await DesktopWorld.create();
    const page = await (await world.start()).page();
    const answers = await page.evaluate(() =>
      Promise.all([
        signalbox.call('query', 'hub.ping; drop', null),
        signalbox.call('eval', 'hub.ping', null),
        signalbox.call('query', '__proto__.toString', null),
        signalbox.call('query', 'hub.nothing', null),
        signalbox.call('query', 'inbox.show', { item: 99 }),
        signalbox.call('mutation', 'project.slots', { project: 'none', slots: 99 }),
      ]),
    );
    expect(answers).toMatchObject([
      { ok: false, error: { code: 'usage', message: 'The window sent what is not a call.' } },
      { ok: false, error: { code: 'usage' } },
      { ok: false, error: { code: 'usage' } },
      { ok: false },
      { ok: false, error: { code: 'not-found' } },
      { ok: false, error: { code: 'usage' } },
    ]);
  });

  test('a subscription brings what changes, and ends', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    const page = await app.page();
    await page.evaluate(() => {
      const seen: unknown[] = [];
      const stop = signalbox.subscribe('hub.changes', undefined, (event) => seen.push(event));
      Object.assign(globalThis, { seen, stop });
    });
    const seen = () => page.evaluate(() => (globalThis as unknown as { seen: unknown[] }).seen);
    await world.relay.addProject('invoices', { withoutTests: true });
    await app.until('the change is told', async () => JSON.stringify(await seen()).includes('"project"'));
    await page.evaluate(() => (globalThis as unknown as { stop(): void }).stop());
    const { length } = await seen();
    await world.relay.run(['project', 'slots', 'invoices', '2']);
    await app.until('the tray knows of the slots', async () =>
      entriesOf((await app.tray()).menu).some((entry) => entry.label === '2 slots' && entry.checked),
    );
    expect((await seen()).length).toBe(length);
  });

  test('nothing inline runs, nothing foreign is loaded, and it leads nowhere else', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    const page = await app.page();
    // As text: this file is compiled without the types of a page.
    const found: unknown = await page.evaluate(`(async () => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.ran = true';
      document.head.append(script);
      const foreign = await fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused');
      location.href = 'https://example.com/';
      return { ran: 'ran' in globalThis, foreign };
    })()`);
    await page.title();
    const [window] = await app.ask<readonly Window[]>('windows');
    expect([found, window?.url.startsWith('app://bundle/')]).toEqual([
      { ran: false, foreign: 'refused' },
      true,
    ]);
  });

  test('closing it leaves the tray, which brings it back', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    await app.page();
    await app.ask('closeWindow');
    const [hidden] = await app.ask<readonly Window[]>('windows');
    await app.click('ledger');
    await app.until('the ledger is shown', async () => {
      const [window] = await app.ask<readonly Window[]>('windows');
      return window?.isVisible && window.url.endsWith('#/ledger');
    });
    expect(hidden?.isVisible).toBe(false);
  });

  test('a second start with a link shows its item in the same window', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    await app.page();
    await app.ask('secondInstance', ['--hidden', 'signalbox://item/52']);
    await app.until('the item is shown', async () => {
      const windows = await app.ask<readonly Window[]>('windows');
      return windows.length === 1 && windows[0]?.url.endsWith('#/inbox/52');
    });
    await app.ask('secondInstance', ['signalbox://item/52/../../settings']);
    const [window] = await app.ask<readonly Window[]>('windows');
    expect(window?.url).toMatch(/#\/inbox\/52$/);
  });

  test('the shortcut opens the inbox', async () => {
    await using world = await DesktopWorld.create();
    const app = await world.start();
    await app.page();
    await app.click('settings');
    await app.until('the shortcut works', () =>
      app.ask('pressShortcut', 'CommandOrControl+Shift+Space').then(
        () => true,
        () => false,
      ),
    );
    await app.until('the inbox is shown', async () => {
      const [window] = await app.ask<readonly Window[]>('windows');
      return window?.url.endsWith('#/inbox');
    });
  });
});
