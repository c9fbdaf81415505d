import { chmodSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createClaudeExecutor } from '../../../../src-main/adapters/claude-code/executor.ts';
import type { ClaudeExecutorOptions } from '../../../../src-main/adapters/claude-code/executor.ts';
import type { RelayTurnRequest } from '../../../../src-main/core/ports/harness.ts';
import type {
  CommandSpec,
  Finished,
  OwnedSpec,
  SpawnFailure,
  Spawner,
} from '../../../../src-main/adapters/process/spawn-owned.ts';
import type { HubId, LaunchId, SessionId } from '../../../../src-shared/ids.ts';
import { microUsd } from '../../../../src-shared/money.ts';
import { seconds } from '../../../../src-shared/time.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { FakeChild, memoryLog, tableThatReapsAfter } from './fake-child.ts';

const REQUEST: RelayTurnRequest = {
  launchId: 'lch_1' as LaunchId,
  ownerMark: 'hub_1:att_1',
  sessionId: '0a0a0a0a-0000-4000-8000-000000000001' as SessionId,
  session: 'new',
  cwd: '/work/tree',
  model: 'sonnet',
  budgetMicroUsd: microUsd(500_000),
  outputForm: 'json',
  environmentNames: ['MY_TOKEN_FILE'],
  timeout: seconds(60),
};

const exited = (exitCode: number, stdout: string, kind: 'exited' | 'timed-out' = 'exited'): Finished => ({
  kind,
  exitCode,
  signal: null,
  stdout: Buffer.from(stdout),
  stderr: Buffer.alloc(0),
  durationMs: 1,
});

class FakeSpawner implements Spawner {
  readonly started: OwnedSpec[] = [];
  readonly ran: CommandSpec[] = [];
  child: FakeChild | SpawnFailure = new FakeChild();
  answer: (args: readonly string[]) => Finished = (args) =>
    args.includes('--version')
      ? exited(0, '2.1.332 (Claude Code)\n')
      : exited(0, '{"loggedIn":true,"authMethod":"api_key"}');

  startOwned(spec: OwnedSpec): Promise<FakeChild | SpawnFailure> {
    this.started.push(spec);
    return Promise.resolve(this.child);
  }
  run(spec: CommandSpec): Promise<Finished> {
    this.ran.push(spec);
    return Promise.resolve(this.answer(spec.args));
  }
}

function make(change: Partial<ClaudeExecutorOptions> = {}) {
  const folder = makeTempFolder('executor');
  onTestFinished(() => folder.dispose());
  const claude = folder.join('claude');
  writeFileSync(claude, '#!/bin/sh\n');
  chmodSync(claude, 0o755);
  const spawner = new FakeSpawner();
  const executor = createClaudeExecutor({
    spawner,
    processes: tableThatReapsAfter(1),
    clock: new FakeClock(),
    log: memoryLog(),
    hubId: 'hub_1' as HubId,
    inheritedEnv: {
      PATH: folder.path,
      HOME: folder.path,
      ANTHROPIC_API_KEY: 'sk-secret-value',
      MY_TOKEN_FILE: '/x',
      AWS_SECRET_ACCESS_KEY: 'other-secret',
      CLAUDE_CODE_MAX_RETRIES: '10',
      NODE_OPTIONS: '--inspect',
    },
    homeFolder: folder.path,
    platform: 'linux',
    ...change,
  });
  return { folder, claude, spawner, executor };
}

test('the version is asked once per file, and again when the file changed', async () => {
  const { claude, spawner, executor } = make();
  const first = await executor.discover();
  await executor.discover();
  writeFileSync(claude, '#!/bin/sh\n# changed\n');
  await executor.discover();
  expect([first, spawner.ran.map((spec) => [spec.args, spec.mark])]).toEqual([
    { kind: 'found', executable: claude, version: '2.1.332' },
    [
      [['--version'], 'hub_1:claude'],
      [['--version'], 'hub_1:claude'],
    ],
  ]);
});

test('a program that is not Claude Code, fails or hangs is unusable and is asked again', async () => {
  const { spawner, executor } = make();
  const problems = [];
  for (const answer of [exited(0, 'v1.0\n'), exited(3, ''), exited(0, '', 'timed-out')]) {
    spawner.answer = () => answer;
    const found = await executor.discover();
    problems.push(found.kind === 'unusable' && found.problem);
  }
  expect(problems).toEqual([
    'It does not say that it is Claude Code.',
    'It ended with exit code 3.',
    'It did not answer in 20 seconds.',
  ]);
});

test('the login state is what the program says, whatever its exit code', async () => {
  const { spawner, executor } = make();
  const inState = await executor.loginState();
  spawner.answer = () => exited(1, '{"loggedIn": false,"authMethod": "none"}');
  expect([inState, await executor.loginState(), spawner.ran[0]?.args]).toEqual([
    { kind: 'logged-in', method: 'api_key' },
    { kind: 'logged-out' },
    ['auth', 'status'],
  ]);
});

test('a launch passes the allowlist, the mark and no secret on its command line', async () => {
  const { claude, spawner, executor, folder } = make();
  const launched = await executor.launch(REQUEST);
  const [spec] = spawner.started;
  expect([launched.kind, spec?.file, spec?.cwd, spec?.mark, spec?.stdin, spec?.env]).toEqual([
    'launched',
    claude,
    '/work/tree',
    'hub_1:att_1',
    'pipe',
    {
      PATH: folder.path,
      HOME: folder.path,
      ANTHROPIC_API_KEY: 'sk-secret-value',
      MY_TOKEN_FILE: '/x',
      CLAUDE_CODE_MAX_RETRIES: '3',
      DISABLE_AUTOUPDATER: '1',
    },
  ]);
  expect(JSON.stringify(spec?.args)).not.toContain('secret');
  expect(launched.kind === 'launched' && launched.turn.process).toEqual({
    pid: 4242,
    processStart: 'start-1',
    argv: [claude, ...(spec?.args ?? [])],
  });
});

test('what cannot be started says why and starts nothing', async () => {
  const { spawner, executor } = make();
  const missing = make({ claudeCommand: '/nowhere/claude' });
  const refused = await executor.launch({ ...REQUEST, model: '--resume' });
  const notFound = await missing.executor.launch(REQUEST);
  expect([spawner.started.length, missing.spawner.started.length]).toEqual([0, 0]);
  spawner.child = { kind: 'not-started', code: 'killed', message: 'The kill switch is engaged.' };
  expect([refused, notFound, await executor.launch(REQUEST)]).toEqual([
    { kind: 'not-started', message: 'The model name holds characters that cannot be passed on.' },
    {
      kind: 'not-started',
      message: 'Claude Code was not found: /nowhere/claude. Install it, or set SIGNALBOX_CLAUDE to its path.',
    },
    { kind: 'not-started', message: 'The kill switch is engaged.' },
  ]);
});

test('SIGNALBOX_CLAUDE names the program, and the option comes before it', async () => {
  const { claude } = make();
  const byVariable = make({ inheritedEnv: { PATH: '', SIGNALBOX_CLAUDE: claude } });
  const byOption = make({ inheritedEnv: { SIGNALBOX_CLAUDE: '/nowhere' }, claudeCommand: claude });
  expect([await byVariable.executor.discover(), await byOption.executor.discover()]).toEqual([
    { kind: 'found', executable: claude, version: '2.1.332' },
    { kind: 'found', executable: claude, version: '2.1.332' },
  ]);
});
