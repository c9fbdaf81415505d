import { expect, test } from 'vitest';
import { createRelayTurn } from '../../../../src-main/adapters/claude-code/relay-turn.ts';
import type { RelayTurn, TurnEvent } from '../../../../src-main/core/ports/harness.ts';
import { seconds } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { FakeChild, collect, memoryLog, tableThatReapsAfter } from './fake-child.ts';

const SUCCESS = {
  subtype: 'success',
  is_error: false,
  total_cost_usd: 0.25,
  structured_output: { status: 'done', summary: 'ok' },
  type: 'result',
};
const SAID = { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'hi' }] } };

function start(options: { lineLimitBytes?: number } = {}) {
  const child = new FakeChild();
  const clock = new FakeClock();
  const log = memoryLog();
  const processes = tableThatReapsAfter(2);
  const turn = createRelayTurn({
    child,
    argv: ['claude', '-p'],
    timeout: seconds(60),
    clock,
    log,
    processes,
    ...options,
  });
  return { child, clock, log, processes, turn };
}

const readAll = (turn: RelayTurn): Promise<TurnEvent[]> => collect(turn.events);
const untilFirst = async (turn: RelayTurn): Promise<void> => {
  await turn.events[Symbol.asyncIterator]().next();
};

test('the prompt is written once, and input ends after it', async () => {
  const { child, turn, clock } = start();
  const before = [child.written.length, child.isInputEnded];
  const isWritten = await turn.writePrompt('do it');
  await expect(turn.writePrompt('do it')).rejects.toThrow('written before');
  child.print(SUCCESS);
  child.exit({ exitCode: 0 });
  await readAll(turn);
  expect([
    before,
    isWritten,
    child.written,
    child.isInputEnded,
    (await turn.outcome).kind,
    clock.pending,
  ]).toEqual([[0, false], true, ['do it'], true, 'done', 0]);
});

test('a pipe that was gone before a byte was taken proves that the turn was not started', async () => {
  const { child, turn } = start();
  child.writeOutcome = 'refused';
  const isWritten = await turn.writePrompt('do it');
  child.exit({ exitCode: 1 });
  expect([isWritten, await turn.outcome]).toEqual([
    false,
    { kind: 'not-started', message: 'Claude Code ended before it took the prompt (exit code 1).' },
  ]);
});

test('a pipe that broke on the way proves nothing', async () => {
  const { child, turn } = start();
  child.writeOutcome = 'broken';
  const isWritten = await turn.writePrompt('do it');
  child.exit({ exitCode: null, signal: 'SIGKILL' });
  expect([isWritten, (await turn.outcome).kind]).toEqual([true, 'lost']);
});

test('no event follows the result, and the events end with the process', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  child.print(SAID, SUCCESS, SAID, '{"broken', SUCCESS);
  child.exit({ exitCode: 0 });
  const events = await readAll(turn);
  expect([events, (await turn.outcome).kind]).toEqual([[{ kind: 'assistant', text: 'hi' }], 'done']);
});

test('a stop ends the tree and the turn is interrupted by its first reason', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  await turn.stop('kill-switch');
  await turn.stop('hub-stopping');
  expect(await turn.outcome).toEqual({ kind: 'interrupted', by: 'kill-switch', report: null });
  expect(child.stops).toBe(2);
  await turn.stop('person');
  expect(child.stops).toBe(2);
});

test('a result that was read before the stop stands, though the process ends by our signal', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  child.print(SAID, SUCCESS);
  await untilFirst(turn);
  await turn.stop('person');
  expect((await turn.outcome).kind).toBe('done');
});

test('a result after the stop only keeps its figures', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  child.onStop = () => {
    child.print(SUCCESS);
    child.exit({ exitCode: 0 });
  };
  await turn.stop('person');
  const outcome = await turn.outcome;
  expect(outcome.kind === 'interrupted' && [outcome.by, outcome.report?.totalMicroUsd]).toEqual([
    'person',
    250_000,
  ]);
});

test('after the time limit the tree is stopped', async () => {
  const { child, clock, turn } = start();
  void turn.writePrompt('x');
  clock.advance(59_999);
  expect(child.stops).toBe(0);
  clock.advance(1);
  expect(await turn.outcome).toEqual({ kind: 'interrupted', by: 'time-limit', report: null });
  expect(clock.pending).toBe(0);
});

test('a process that gave its result and stays is ended, and its result stands', async () => {
  const { child, clock, turn, log } = start();
  void turn.writePrompt('x');
  child.print(SUCCESS);
  await waitUntil('the linger timer is set', () => clock.pending === 2);
  clock.advance(10_000);
  expect([(await turn.outcome).kind, child.stops, log.lines.map((line) => line.level)]).toEqual([
    'done',
    1,
    ['warn'],
  ]);
});

test.each([
  ['protocol-corruption', '{"type":"assistant",', {}],
  ['line-too-long', 'x'.repeat(101), { lineLimitBytes: 100 }],
] as const)('%s ends the tree at once and the turn is lost', async (cause, line, options) => {
  const { child, turn } = start(options);
  void turn.writePrompt('x');
  child.print(line);
  expect([await turn.outcome, child.stops]).toEqual([
    expect.objectContaining({ kind: 'lost', cause, signal: 'SIGTERM' }),
    1,
  ]);
});

test('a line torn by the end of the process is no corruption', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  child.stdout.write('{"type":"assis');
  child.exit({ exitCode: 143 });
  expect(await turn.outcome).toMatchObject({ kind: 'lost', cause: 'completion-unknown', exitCode: 143 });
});

test('reading stops while nobody takes the events, and goes on when they are taken', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  const lines = 5_000;
  for (let sent = 0; sent < lines; sent += 1) child.print({ type: `n${sent}` });
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(child.stdout.readableLength).toBeGreaterThan(0);
  child.print(SUCCESS);
  child.exit({ exitCode: 0 });
  const events = await readAll(turn);
  expect([events.length, events.at(-1), (await turn.outcome).kind]).toEqual([
    lines,
    { kind: 'activity', type: `n${lines - 1}` },
    'done',
  ]);
});

test('a stop gets through while nobody takes the events', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  for (let sent = 0; sent < 10_000; sent += 1) child.print({ type: `n${sent}` });
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(child.stdout.readableLength).toBeGreaterThan(0);
  await turn.stop('kill-switch');
  expect(await turn.outcome).toMatchObject({ kind: 'interrupted', by: 'kill-switch' });
});

test('what stderr says is a diagnostic and decides when there is no result', async () => {
  const { child, turn } = start();
  void turn.writePrompt('x');
  child.stderr.write('Error: Session ID 0a is already in use.\n');
  child.exit({ exitCode: 1 });
  const events = await readAll(turn);
  expect([events, (await turn.outcome).kind === 'failed' && (await turn.outcome)]).toEqual([
    [{ kind: 'diagnostic', text: 'Error: Session ID 0a is already in use.' }],
    expect.objectContaining({ category: 'session-in-use' }),
  ]);
});

test('the outcome waits until the process table agrees that nothing is left', async () => {
  const { child, turn, processes, log } = start();
  void turn.writePrompt('x');
  child.print(SUCCESS);
  child.exit({ exitCode: 0, alive: [7] });
  expect([(await turn.outcome).kind, processes.calls, log.lines]).toEqual(['done', 2, []]);
});
