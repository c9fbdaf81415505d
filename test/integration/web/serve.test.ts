import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChangeView } from '../../../src-shared/api/hub.ts';
import { ServeView } from '../../../src-shared/api/web.ts';
import type { RelayWorld } from '../../support/relay-world.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { exchange, openWindow } from '../../support/web-window.ts';
import { tamper } from '../store/raw.ts';
import { createBusyWorld, createWorld, startServe } from './serve-world.ts';

const codeOf = (json: unknown): string | undefined =>
  (json as { error?: { code: string } } | undefined)?.error?.code;
/** The work of the tests here is elsewhere: nothing may be dispatched. */
const IDLE = { flags: ['--slots', '0'] };

/** What a call is refused with, as the window reads it. */
const refusal = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'answered',
    (error: unknown) => (error as { data?: { wire?: { code: string } } }).data?.wire?.code ?? String(error),
  );

/** Follows what changes in the hub of a window. */
async function followChanges(window: Awaited<ReturnType<typeof openWindow>>) {
  const seen: { readonly id: string; readonly change: ChangeView }[] = [];
  window.client.hub.changes.subscribe(undefined, {
    onData: ({ id, data }) => seen.push({ id, change: data }),
  });
  await waitUntil('the first event came', () => seen.length > 0);
  return seen;
}

const statusOf = async (world: RelayWorld) => {
  const status = await world.status();
  return status.running ? [status.host, status.pid] : null;
};

describe('signalbox serve without a hub', () => {
  test('is the hub, prints one line, answers a window as its person, and ends with Ctrl+C', async () => {
    await using world = await createWorld();
    await world.addProject('shop', IDLE);
    await using served = await startServe(world);
    expect(await statusOf(world)).toEqual(['web', served.pid]);
    await using window = await openWindow(served.link);
    await window.client.task.add.mutate({ project: 'shop', title: 'From the window', description: 'Add.' });
    expect((await world.ledger('--kind', 'task.added')).map(({ data }) => data['via'])).toEqual(['web']);
    await window.close();
    expect(await served.stop()).toBe(0);
    expect(served.stdout()).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/);
    expect(await world.status()).toMatchObject({ running: false });
  });

  test('tells on its terminal of a ledger that was changed', async () => {
    await using world = await createWorld();
    await world.addProject('shop', IDLE);
    await world.addTask('shop', 'First', 'Do it.');
    tamper(
      path.join(world.data, 'signalbox.sqlite'),
      `UPDATE ledger_entry SET data_json = '{"by":"nobody"}' WHERE seq = 2`,
    );
    await using served = await startServe(world);
    await waitUntil('it says where', () => served.stderr().includes('breaks at entry 2'));
    expect(served.stderr()).toContain('signalbox ledger verify --full');
  });

  test('tells on its terminal what happens, as signalbox hub does', async () => {
    await using world = await createWorld();
    await world.addProject('shop', { withoutTests: true });
    await using served = await startServe(world);
    const number = await world.addTask('shop', 'Sum', 'Round to 2 places or to the nearest rupee? ask');
    const item = await world.untilItem('specify', number);
    await waitUntil('the question is told', () =>
      served.stderr().includes(`task ${number} (shop): #${item.number} waits for you: signalbox inbox show`),
    );
    expect(served.stderr()).toMatch(/^\d\d:\d\d:\d\d {2}task \d+ \(shop\): the agent starts$/m);
    expect(served.stdout()).toBe(`listening on ${served.link}\n`);
  });

  test('carries a question to the window and the answer back to the agent', async () => {
    await using world = await createWorld();
    await world.addProject('shop', { withoutTests: true });
    const number = await world.addTask('shop', 'Sum', 'Round to 2 places or to the nearest rupee? ask');
    await using served = await startServe(world);
    await using window = await openWindow(served.link);
    const item = await world.untilItem('specify', number);
    await window.client.inbox.answer.mutate({ item: item.number, reply: { kind: 'text', text: '2 places' } });
    await world.untilTask(number, ['awaiting_approval']);
    expect(await world.item(item.number)).toMatchObject({ respondedVia: 'web', delivery: 'seen' });
    await window.close();
    expect(await served.stop()).toBe(0);
  });

  test('ends when its hub is told to end', async () => {
    await using world = await createWorld();
    await using served = await startServe(world);
    expect((await world.run(['hub', 'stop', '--json'])).json).toEqual({ ok: true });
    expect(await served.ended).toBe(0);
  });

  test.each([
    [1, 'interrupts a turn that does not end by itself, and is exit 0', 0],
    [2, 'ends it all at once, and is exit 130', 130],
  ])('Ctrl+C, pressed %i times, %s', async (times, _what, exitCode) => {
    await using world = await createBusyWorld();
    await using served = await startServe(world);
    await world.until(
      'the turn runs',
      async () => (await world.ledger('--kind', 'harness.start')).length > 0,
    );
    let isOver = false;
    void served.ended.then(() => (isOver = true));
    served.signal('SIGINT');
    await waitUntil(
      'it has ended',
      () => {
        if (times > 1 && !isOver) served.signal('SIGINT');
        return isOver;
      },
      { withinMs: 20_000, everyMs: 50 },
    );
    expect(await served.ended).toBe(exitCode);
    await world.untilNoProcess();
    expect(await world.status()).toMatchObject({ running: false });
    expect(codeOf((await world.run(['serve', '--link', '--json'])).json)).toBe('web-not-running');
  });

  test('prints one JSON value with --json', async () => {
    await using world = await createWorld();
    await using served = await startServe(world, ['--json']);
    const view = ServeView.parse(JSON.parse(served.stdout()));
    expect(view).toMatchObject({ pid: served.pid, hub: 'own', port: Number(new URL(view.url).port) });
    expect(await served.stop()).toBe(0);
    expect(JSON.parse(served.stdout())).toEqual(view);
  });
});

describe('signalbox serve beside a hub', () => {
  test("is its client: calls, error codes and changes are the hub's", async () => {
    await using world = await createWorld();
    await world.addProject('shop', IDLE);
    const hub = await world.startHub();
    await using served = await startServe(world);
    expect(served.stderr()).toContain(`pid ${hub.pid}`);
    await using window = await openWindow(served.link);
    expect(await window.client.hub.ping.query()).toMatchObject({ pid: hub.pid });
    expect(await refusal(window.client.task.show.query({ task: 99 }))).toBe('not-found');
    expect(await refusal(window.client.task.show.query({ task: -1 }))).toBe('usage');
    expect(
      await refusal(window.client.inbox.answer.mutate({ item: 1, reply: { kind: 'text', text: 'x' } })),
    ).toBe('not-found');
    const seen = await followChanges(window);
    const task = await window.client.task.add.mutate({ project: 'shop', title: 'A', description: 'B' });
    await waitUntil('the change came', () =>
      seen.some(({ change }) => change.kind === 'task' && change.taskId === task.id),
    );
    expect((await world.ledger('--kind', 'task.added')).map(({ data }) => data['via'])).toEqual(['web']);
    await window.close();
    expect(await served.stop()).toBe(0);
    expect(await statusOf(world)).toEqual(['hub', hub.pid]);
  });

  test('loses and doubles nothing when the connections of its windows break', async () => {
    await using world = await createWorld();
    await world.addProject('shop', IDLE);
    await world.startHub();
    await using served = await startServe(world);
    await using steady = await openWindow(served.link);
    const { url } = await world.json<{ url: string }>(['serve', '--link']);
    await using broken = await openWindow(url);
    const all = await followChanges(steady);
    const some = await followChanges(broken);
    const entries: number[] = [];
    broken.client.ledger.follow.subscribe({ limit: 1000 }, { onData: ({ data }) => entries.push(data.seq) });
    for (let number = 1; number <= 12; number += 1) {
      if (number % 3 === 0) broken.cut();
      await steady.client.task.add.mutate({ project: 'shop', title: `Task ${number}`, description: 'B' });
    }
    const last = (await steady.client.ledger.list.query({ limit: 1 }))[0]?.seq ?? 0;
    await waitUntil('all entries came', () => entries.at(-1) === last);
    await waitUntil('all changes came', () => some.at(-1)?.id === all.at(-1)?.id);
    const from = all.findIndex(({ id }) => id === some[0]?.id);
    expect(some.slice(1)).toEqual(all.slice(from === -1 ? 1 : from + 1));
    expect(entries).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(broken.closed.length).toBeGreaterThan(1);
    await Promise.all([steady.close(), broken.close()]);
    await served.stop();
  });

  test.each(['stop', 'crash'] as const)(
    'takes its place after its end (%s), and the windows go on',
    async (how) => {
      await using world = await createWorld();
      await world.addProject('shop', IDLE);
      const hub = await world.startHub();
      await using served = await startServe(world);
      await using window = await openWindow(served.link);
      const seen = await followChanges(window);
      const entries: number[] = [];
      window.client.ledger.follow.subscribe(
        { limit: 1000 },
        { onData: ({ data }) => entries.push(data.seq) },
      );
      await hub[how]();
      await waitUntil('serve is the hub', async () => (await statusOf(world))?.[0] === 'web', {
        withinMs: 30_000,
      });
      expect(await statusOf(world)).toEqual(['web', served.pid]);
      expect(served.stderr()).toContain(`This process (pid ${served.pid}) is the hub now.`);
      await waitUntil('the window was told to look again', () =>
        seen.slice(1).some(({ change }) => change.kind === 'reset'),
      );
      await world.addTask('shop', 'Later', 'Add.');
      const last = (await world.ledger()).at(-1)?.seq ?? 0;
      await waitUntil('the window has every entry', () => entries.at(-1) === last);
      expect(entries).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      await window.close();
      expect(await served.stop()).toBe(0);
    },
  );

  test('may be two: the second is a client of the first, and takes its place', async () => {
    await using world = await createWorld();
    await using first = await startServe(world);
    await using second = await startServe(world);
    expect(second.stderr()).toContain(`A hub runs already (pid ${first.pid}, web)`);
    await using window = await openWindow(second.link);
    expect(await window.client.hub.ping.query()).toMatchObject({ pid: first.pid });
    expect(await first.stop()).toBe(0);
    await waitUntil('the second is the hub', async () => (await statusOf(world))?.[1] === second.pid);
    await window.close();
    expect(await second.stop()).toBe(0);
  });

  test('with --no-hub is never the hub: it needs one, waits for the next, and tells windows so', async () => {
    await using world = await createWorld();
    await world.addProject('shop', IDLE);
    const alone = await world.run(['serve', '--no-hub', '--json']);
    expect([alone.exitCode, codeOf(alone.json)]).toEqual([1, 'hub-not-running']);
    const hub = await world.startHub();
    await using served = await startServe(world, ['--no-hub']);
    await using window = await openWindow(served.link);
    expect(await window.client.hub.ping.query()).toMatchObject({ pid: hub.pid });
    const seen = await followChanges(window);
    await hub.stop();
    await waitUntil('the window was told that there is no hub', () => window.closed.includes(4503));
    expect(await world.status()).toMatchObject({ running: false });
    const next = await world.startHub();
    await waitUntil(
      'the window follows the next hub',
      () => seen.filter(({ change }) => change.kind === 'reset').length > 1,
    );
    expect(await window.client.hub.ping.query()).toMatchObject({ pid: next.pid });
    await window.close();
    expect(await served.stop()).toBe(0);
  });
});

describe('a link', () => {
  test('for another browser is handed out by a running host, to a person only', async () => {
    await using world = await createWorld();
    const none = await world.run(['serve', '--link', '--json']);
    expect([none.exitCode, codeOf(none.json)]).toEqual([1, 'web-not-running']);
    await using served = await startServe(world);
    const link = await world.run(['serve', '--link']);
    expect([link.exitCode, link.stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^${new URL(served.link).origin}/#token=[\\w-]{43}\n$`)),
    ]);
    expect(link.stdout.trim()).not.toBe(served.link);
    expect((await exchange(link.stdout.trim())).status).toBe(200);
    expect((await exchange(link.stdout.trim())).status).toBe(401);
    expect((await exchange(served.link)).status).toBe(200);
    expect(await served.stop()).toBe(0);
    expect(codeOf((await world.run(['serve', '--link', '--json'])).json)).toBe('web-not-running');
  });

  test('is of the host that started last among those that run', async () => {
    await using world = await createWorld();
    const origin = async () => new URL((await world.json<{ url: string }>(['serve', '--link'])).url).origin;
    await using first = await startServe(world);
    await using second = await startServe(world);
    await using third = await startServe(world);
    expect(await origin()).toBe(new URL(third.link).origin);
    third.signal('SIGKILL');
    await third.ended;
    expect(await origin()).toBe(new URL(second.link).origin);
    await second.stop();
    expect(await origin()).toBe(new URL(first.link).origin);
    expect(readdirSync(world.data).filter((name) => name.startsWith('web-'))).toEqual([
      `web-${first.pid}.json`,
    ]);
  });

  test.each(['serve', 'serve --link'])('is refused to an agent (%s)', async (words) => {
    await using world = await createWorld({ SIGNALBOX_OWNER: 'hub_x:att_x' });
    const refused = await world.run([...words.split(' '), '--json']);
    expect([refused.exitCode, codeOf(refused.json)]).toEqual([3, 'agent-may-not-decide']);
  });

  test('is opened with --open by way of a page, and no command line holds its token', async () => {
    await using world = await createWorld();
    const bin = path.join(world.folder, 'bin');
    const shown = path.join(world.folder, 'shown');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${shown}'\n`);
    chmodSync(path.join(bin, 'xdg-open'), 0o755);
    const environment = { ...world.environment, DISPLAY: ':0', PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    await using served = await startServe(
      Object.assign(Object.create(world) as RelayWorld, { environment }),
      ['--open'],
    );
    const address = await waitUntil('something was shown', () => {
      const text = readFileSync(shown, 'utf8');
      return text === '' ? null : text;
    });
    expect(address).toMatch(/^file:\/\/.*\/open-window\.html$/);
    const page = readFileSync(new URL(address), 'utf8');
    const link = /url=(http:[^"]+)"/.exec(page)?.[1] ?? '';
    expect((await exchange(link)).status).toBe(200);
    expect(await served.stop()).toBe(0);
  });

  test('that no browser can be opened for is printed all the same', async () => {
    await using world = await createWorld();
    const environment = { ...world.environment, DISPLAY: ':0', PATH: path.dirname(process.execPath) };
    await using served = await startServe(
      Object.assign(Object.create(world) as RelayWorld, { environment }),
      ['--open'],
    );
    await waitUntil('it says so', () => served.stderr().includes('open the link yourself'));
    expect((await exchange(served.link)).status).toBe(200);
    expect(await served.stop()).toBe(0);
  });

  test('is not opened where there is no display', async () => {
    await using world = await createWorld();
    const environment = { ...world.environment, DISPLAY: '', WAYLAND_DISPLAY: '' };
    await using served = await startServe(
      Object.assign(Object.create(world) as RelayWorld, { environment }),
      ['--open'],
    );
    await waitUntil('it says so', () => served.stderr().includes('no display'));
  });
});

describe('a wrong invocation of serve', () => {
  test.each([
    [['--bind', '0.0.0.0'], 3, 'bind-refused'],
    [['--bind', 'localhost'], 3, 'bind-refused'],
    [['--port', '70000'], 2, 'usage'],
    [['--port', 'x'], 2, 'usage'],
    [['--link', '--port', '1'], 2, 'usage'],
    [['now'], 2, 'usage'],
  ])('%j is exit %i, %s', async (flags, exitCode, code) => {
    await using world = await createWorld();
    const result = await world.run(['serve', ...flags, '--json']);
    expect([result.exitCode, codeOf(result.json)]).toEqual([exitCode, code]);
  });

  test('a port that is taken is said, and nothing was started for it', async () => {
    await using world = await createWorld();
    const taken = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as net.AddressInfo;
    const result = await world.run(['serve', '--port', String(port), '--json']);
    taken.close();
    expect([result.exitCode, codeOf(result.json)]).toEqual([1, 'port-taken']);
    expect(result.stderr).toContain(`Port ${port} is taken`);
  });
});
