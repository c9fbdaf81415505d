import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createHubProcess, type HubState } from '../../../../src-main/hosts/electron/hub-process.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

class FakeChild extends EventEmitter {
  readonly pid: number;
  readonly sent: unknown[] = [];
  constructor(pid: number) {
    super();
    this.pid = pid;
  }
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
}

function hubWorld() {
  const clock = new FakeClock();
  const children: FakeChild[] = [];
  const states: HubState[] = [];
  const forced: number[] = [];
  const elsewhere: { socket: string; onClose: () => void }[] = [];
  const port = {} as never;
  const hub = createHubProcess({
    clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    fork: () => {
      const child = new FakeChild(7 + children.length);
      children.push(child);
      return child;
    },
    channel: () => ({ ours: port, theirs: port }),
    connectElsewhere: (socket, _connector, onClose) => {
      elsewhere.push({ socket, onClose });
      return port;
    },
    onState: (state) => states.push(state),
    endByForce: (pid) => forced.push(pid),
  });
  hub.start();
  const end = (code: number, message?: unknown): void => {
    const child = children.at(-1);
    if (message !== undefined) child?.emit('message', message);
    child?.emit('exit', code);
  };
  return { clock, children, states, forced, elsewhere, hub, end };
}
const DESKTOP = { name: 'ada', via: 'desktop' } as const;

describe('the process of the hub', () => {
  test('is started again after an unexpected end, three times in a minute', () => {
    const world = hubWorld();
    for (let time = 0; time < 4; time += 1) world.end(1);
    expect([world.children.length, world.hub.state]).toEqual([
      4,
      { kind: 'gone', message: expect.stringContaining('several times') },
    ]);
  });

  test('that ends once in a while is always started again', () => {
    const world = hubWorld();
    for (let time = 0; time < 10; time += 1) {
      world.end(1);
      world.clock.advance(30_000);
    }
    expect([world.children.length, world.hub.state.kind]).toEqual([11, 'starting']);
  });

  test('that was asked to end stays ended, and can be started', () => {
    const world = hubWorld();
    world.end(0, { kind: 'stopped' });
    const after = world.hub.state;
    world.hub.start();
    expect([after, world.children.length]).toEqual([{ kind: 'gone', message: null }, 2]);
  });

  test('that cannot run says why, and is not tried again', () => {
    const world = hubWorld();
    world.end(1, { kind: 'failed', message: 'Too new.', hint: 'Update.' });
    expect([world.hub.state, world.children.length]).toEqual([
      { kind: 'gone', message: 'Too new. Update.' },
      1,
    ]);
  });

  test('gives way to the hub of another program, until that one ends', () => {
    const world = hubWorld();
    world.end(0, { kind: 'other-hub', pid: 9, host: 'hub', socket: '/run/hub.sock' });
    const state = world.hub.state;
    world.hub.openPort(DESKTOP);
    world.elsewhere[0]?.onClose();
    world.elsewhere[0]?.onClose();
    expect([state, world.elsewhere[0]?.socket, world.hub.state, world.hub.openPort(DESKTOP)]).toEqual([
      { kind: 'other', pid: 9, host: 'hub' },
      '/run/hub.sock',
      { kind: 'gone', message: null },
      null,
    ]);
  });

  test('is told who connects, and what is not known is passed over', () => {
    const world = hubWorld();
    world.children[0]?.emit('message', { kind: 'nonsense' });
    world.children[0]?.emit('message', { kind: 'ready', pid: 7 });
    world.hub.openPort(DESKTOP);
    expect([world.children[0]?.sent, world.hub.state]).toEqual([
      [{ kind: 'connect', name: 'ada', via: 'desktop' }],
      { kind: 'ours', pid: 7 },
    ]);
  });

  test('that hangs is ended by force and started again, however often a person wants that', () => {
    const world = hubWorld();
    for (let time = 0; time < 6; time += 1) {
      world.hub.restart();
      world.end(137);
    }
    expect([world.forced, world.children.length, world.hub.state.kind]).toEqual([
      [7, 8, 9, 10, 11, 12],
      7,
      'starting',
    ]);
  });

  test('is asked to stop, and ended by force only when it does not', async () => {
    const calm = hubWorld();
    const stopped = calm.hub.stop(1000);
    calm.end(0);
    await stopped;
    const stubborn = hubWorld();
    const killed = stubborn.hub.stop(1000);
    stubborn.clock.advance(1000);
    await killed;
    expect([
      calm.children[0]?.sent,
      calm.forced,
      calm.clock.pending,
      stubborn.forced,
      calm.children.length,
    ]).toEqual([[{ kind: 'stop' }], [], 0, [7], 1]);
  });
});
