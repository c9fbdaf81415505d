import { describe, expect, test } from 'vitest';
import { createBridgeTransport, type BridgeEvent } from '../../../src-renderer/api/bridge-transport.ts';
import { untracked } from '../../../src-renderer/api/socket-transport.ts';
import { CallError, callErrorFrom, createConnection } from '../../../src-renderer/api/transport.ts';
import { exportLedger } from '../../../src-renderer/features/ledger/export-ledger.ts';

describe('what a call failed with', () => {
  test("is the hub's own code, sentence and hint where it answered", () => {
    const wire = { code: 'not-found', message: 'There is no task 99.', hint: 'See task list.' };
    expect(callErrorFrom({ data: { wire } })).toMatchObject(wire);
    expect(callErrorFrom({ data: { wire: { ...wire, hint: undefined } } }).hint).toBeNull();
  });

  test.each([[new Error('closed')], ['closed'], [null], [{ data: { wire: { code: 1 } } }]])(
    'is a missing connection for anything else: %s',
    (thrown) => {
      expect(callErrorFrom(thrown)).toMatchObject({ code: 'no-connection' });
    },
  );

  test('is not wrapped a second time', () => {
    const error = new CallError('usage', 'No.');
    expect(callErrorFrom(error)).toBe(error);
  });
});

describe('a connection', () => {
  test('tells of each change once, and since when what is shown is old', () => {
    const connection = createConnection();
    const seen: string[] = [];
    const stop = connection.listen(() => seen.push(connection.state()));
    connection.become('open');
    connection.become('open');
    expect(connection.lostAt()).toBeNull();
    connection.become('lost');
    expect(connection.lostAt()).not.toBeNull();
    connection.willTryAt(5);
    connection.become('open');
    expect([connection.lostAt(), connection.nextTryAt()]).toEqual([null, null]);
    stop();
    connection.become('lost');
    expect(seen).toEqual(['open', 'lost', 'lost', 'open']);
  });

  test('that never stood is not one that was lost', () => {
    const connection = createConnection();
    connection.become('lost');
    expect(connection.lostAt()).toBeNull();
  });
});

test('an event with a cursor is handed on without it', () => {
  expect(untracked({ id: '7', data: { kind: 'task' } })).toEqual({ kind: 'task' });
  expect([untracked({ id: '7' }), untracked(null), untracked(3)]).toEqual([{ id: '7' }, null, 3]);
});

test("the desktop's bridge gives values, errors with their code, events, and the state of the hub", async () => {
  let tell: (event: BridgeEvent) => void = () => undefined;
  const transport = createBridgeTransport({
    call: (_kind, name) =>
      name === 'hub.ping'
        ? Promise.resolve({ ok: true, value: 'here' })
        : name === 'hub.summary'
          ? Promise.resolve({ ok: false, error: { code: 'internal', message: 'No.' } })
          : Promise.reject(new Error('gone')),
    subscribe: (_name, _input, listener) => {
      tell = listener;
      return () => undefined;
    },
  });
  expect(await transport.query('hub.ping', undefined)).toBe('here');
  await expect(transport.query('hub.summary', undefined)).rejects.toMatchObject({
    code: 'internal',
    hint: null,
  });
  await expect(transport.query('board.show', undefined)).rejects.toMatchObject({ code: 'no-connection' });
  const seen: unknown[] = [];
  transport.subscribe(
    'hub.changes',
    {},
    { onData: (data) => seen.push(data), onError: ({ code }) => seen.push(code) },
  );
  tell({ kind: 'data', value: { id: '1', data: 'a' } });
  tell({ kind: 'error', error: { code: 'internal', message: 'No.' } });
  tell({ kind: 'connection', state: 'lost' });
  expect([...seen, transport.connection.state()]).toEqual(['a', 'internal', 'lost']);
});

test('an export asks page after page, and counts entries without the line of names', async () => {
  const pages = [
    { lines: ['seq,kind', '1,a', '2,b'], lastSeq: 2 },
    { lines: ['3,c'], lastSeq: 3 },
    { lines: [], lastSeq: null },
  ];
  const asked: unknown[] = [];
  const told: number[] = [];
  const query = ((_name: string, input: { afterSeq: number }) => {
    asked.push(input.afterSeq);
    return Promise.resolve(pages[asked.length - 1]);
  }) as Parameters<typeof exportLedger>[0]['query'];
  const blob = await exportLedger({ query }, 'csv', (entries) => told.push(entries));
  expect(await blob.text()).toBe('seq,kind\n1,a\n2,b\n3,c\n');
  expect([asked, told, blob.type]).toEqual([[0, 2, 3], [2, 3, 3], 'text/csv']);
});
