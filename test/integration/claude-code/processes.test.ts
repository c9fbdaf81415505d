import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { microUsd } from '../../../src-shared/money.ts';
import { millis, seconds } from '../../../src-shared/time.ts';
import { isRunning } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { TurnWorld, readAll } from './turn-world.ts';

/** Bytes that the process has written, once that figure stays the same for a while: its pipe is full. */
async function untilItStandsStill(pid: number): Promise<number> {
  let [last, looks] = [-1, 0];
  await waitUntil(
    'the process writes no more',
    () => {
      const written = Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'latin1'))?.[1]);
      looks = written === last && written > 0 ? looks + 1 : 0;
      last = written;
      return looks >= 20;
    },
    { everyMs: 20 },
  );
  return last;
}

test('a stop in the middle of a turn ends it and keeps the session for a resume', async () => {
  await using world = await TurnWorld.create();
  const started = world.path('started');
  world.scenario({
    rules: [{ match: { turn: 1 }, steps: [{ do: 'touch', path: started }, { do: 'hang' }] }, { steps: [] }],
  });
  const sessionId = world.ids.sessionId();
  const turn = await world.launch({ sessionId });
  const reading = readAll(turn);
  await turn.writePrompt('first');
  await world.untilFile(started);
  await turn.stop('person');
  expect([await turn.outcome, world.alive()]).toEqual([
    { kind: 'interrupted', by: 'person', report: null },
    [],
  ]);
  await reading;
  const { outcome } = await world.play('second', { sessionId, session: 'resume' });
  expect([outcome.kind, world.prompts()]).toEqual(['done', ['first', 'second']]);
});

test('children that ignore SIGTERM, in sessions of their own, are gone with the turn', async () => {
  await using world = await TurnWorld.create();
  const started = world.path('started');
  world.steps(
    { do: 'ignore-sigterm' },
    { do: 'fork', count: 3, detached: true, ignoreSigterm: true, holdOutput: true },
    { do: 'touch', path: started },
    { do: 'hang' },
  );
  const turn = await world.launch();
  const reading = readAll(turn);
  await turn.writePrompt('x');
  await world.untilFile(started);
  expect(world.alive()).toHaveLength(4);
  await turn.stop('kill-switch');
  const outcome = await turn.outcome;
  const left = world
    .log()
    .flatMap((entry) => (entry.event === 'forked' ? entry.children.filter(isRunning) : []));
  expect([outcome.kind, left, world.alive()]).toEqual(['interrupted', [], []]);
  await reading;
});

test('what a turn leaves running when it ends by itself is ended too, and its result stands', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'fork', count: 2, detached: true, holdOutput: true }, { do: 'done' });
  const { outcome } = await world.play('x');
  expect([outcome.kind, world.alive()]).toEqual(['done', []]);
});

test('the time limit ends a turn that says nothing', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'hang' });
  const { outcome } = await world.play('x', { timeout: millis(700) });
  expect([outcome, world.alive()]).toEqual([{ kind: 'interrupted', by: 'time-limit', report: null }, []]);
});

test('a flood waits for its reader and comes through whole', async () => {
  await using world = await TurnWorld.create();
  const sent = world.path('sent');
  world.steps({ do: 'flood', count: 20_000, bytes: 500 }, { do: 'touch', path: sent }, { do: 'done' });
  const turn = await world.launch();
  await turn.writePrompt('x');
  const events = turn.events[Symbol.asyncIterator]();
  await events.next();
  const printed = await untilItStandsStill(turn.process.pid);
  expect([printed < 5_000_000, existsSync(sent)]).toEqual([true, false]);
  let count = 1;
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    if (next.value.kind === 'activity') count += 1;
  }
  expect([count, existsSync(sent), (await turn.outcome).kind]).toEqual([20_001, true, 'done']);
});

test('a flood without an end, whose reader has gone, is stopped', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'ignore-sigterm' }, { do: 'flood' });
  const turn = await world.launch();
  await turn.writePrompt('x');
  await turn.events[Symbol.asyncIterator]().next();
  await turn.stop('hub-stopping');
  expect([(await turn.outcome).kind, world.alive()]).toEqual(['interrupted', []]);
});

test('a line without an end is cut at 16 MiB', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'raw', text: 'x'.repeat(1024 * 1024), repeat: 20 }, { do: 'hang' });
  const { outcome } = await world.play('x');
  expect(outcome).toMatchObject({ kind: 'lost', cause: 'line-too-long' });
});

test('a long prompt full of shell characters arrives byte for byte, and stands on no command line', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'done' });
  const line = '$(id) `id` "\' ; & | > * ~ \\ %PATH% \u0001 ünï 🚂 \r\n/clear @/etc/passwd --model opus ';
  const prompt = line.repeat(Math.ceil((200 * 1024) / Buffer.byteLength(line)));
  const turn = await world.launch();
  const reading = readAll(turn);
  const isWritten = await turn.writePrompt(prompt);
  expect([isWritten, (await turn.outcome).kind]).toEqual([true, 'done']);
  await reading;
  const launch = world.log().find((entry) => entry.event === 'launch');
  expect(world.prompts().map((text) => text === prompt)).toEqual([true]);
  expect(JSON.stringify([turn.process.argv, launch?.argv])).not.toContain('etc/passwd');
});

test('a turn whose prompt is withheld too long has not started, and its session is as it was', async () => {
  await using world = await TurnWorld.create();
  world.steps({ do: 'done' });
  const sessionId = world.ids.sessionId();
  const turn = await world.launch({ sessionId });
  const reading = readAll(turn);
  expect(await turn.outcome).toMatchObject({ kind: 'not-started' });
  expect(await turn.writePrompt('too late')).toBe(false);
  await reading;
  const { outcome } = await world.play('in time', { sessionId });
  expect([outcome.kind, world.prompts()]).toEqual(['done', ['in time']]);
});

test('the child sees the allowlist and nothing else, and no secret is on its command line', async () => {
  const secrets = { ANTHROPIC_API_KEY: 'sk-ant-secret-1', CLAUDE_CODE_OAUTH_TOKEN: 'oauth-secret-2' };
  const others = {
    AWS_SECRET_ACCESS_KEY: 'aws-secret-3',
    GITHUB_TOKEN: 'gh-secret-4',
    NODE_OPTIONS: '--no-warnings',
  };
  await using world = await TurnWorld.create({ ...secrets, ...others, NAMED: 'by the project' });
  world.steps({ do: 'done' });
  const { outcome } = await world.play('x', {
    environmentNames: ['NAMED'],
    budgetMicroUsd: microUsd(123_400),
  });
  const launch = world.log().find((entry) => entry.event === 'launch');
  expect([outcome.kind, launch?.environment]).toEqual([
    'done',
    [
      'ANTHROPIC_API_KEY',
      'CLAUDE_CODE_MAX_RETRIES',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'DISABLE_AUTOUPDATER',
      'HOME',
      'NAMED',
      'PATH',
      'SIGNALBOX_OWNER',
    ],
  ]);
  expect(JSON.stringify(launch?.argv)).not.toContain('secret');
});

test('the delivery id is found in the history, or is not, as the turn was cut after or before it', async () => {
  await using world = await TurnWorld.create();
  const started = world.path('started');
  const hang = [{ do: 'touch', path: started } as const, { do: 'hang' } as const];
  world.scenario({
    rules: [
      { match: { prompt: 'lose it' }, history: 'with-result', steps: hang },
      { match: { prompt: 'keep it' }, steps: hang },
    ],
  });
  const traces = [];
  for (const word of ['lose it', 'keep it']) {
    const [sessionId, delivery] = [world.ids.sessionId(), world.ids.deliveryId()];
    traces.push(await world.executor.trace(sessionId, world.cwd, delivery));
    const turn = await world.launch({ sessionId });
    const reading = readAll(turn);
    await turn.writePrompt(`${word} (${delivery})`);
    await waitUntil('the prompt was read', () => world.prompts().some((prompt) => prompt.includes(delivery)));
    await turn.stop('hub-stopping');
    await turn.outcome;
    await reading;
    traces.push(await world.executor.trace(sessionId, world.cwd, delivery));
    traces.push(await world.executor.trace(sessionId, world.cwd, world.ids.deliveryId()));
  }
  expect(traces).toEqual(['no-session', 'no-session', 'no-session', 'no-session', 'present', 'absent']);
});

test('version and login come from the program itself', async () => {
  await using world = await TurnWorld.create();
  const found = [await world.executor.discover(), await world.executor.loginState()];
  world.scenario({ rules: [], auth: { loggedIn: false } });
  found.push(await world.executor.loginState());
  expect(found).toEqual([
    expect.objectContaining({ kind: 'found', version: '2.1.332' }),
    { kind: 'logged-in', method: 'api_key' },
    { kind: 'logged-out' },
  ]);
});

test('a task folder that is gone starts nothing', async () => {
  await using world = await TurnWorld.create();
  writeFileSync(world.path('file'), '');
  const gone = await world.executor.launch(
    world.request({ cwd: world.path('nowhere'), timeout: seconds(5) }),
  );
  expect([gone.kind, world.log()]).toEqual(['not-started', []]);
});
