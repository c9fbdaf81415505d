import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { relayArgv } from '../../src-main/core/harness/claude-code/argv.ts';
import type { ItemView } from '../../src-shared/api/item.ts';
import type { SessionId } from '../../src-shared/ids.ts';
import { microUsdFromUsd } from '../../src-shared/money.ts';
import { claudeEnvironment, ensureClaudeCli } from '../support/claude-cli.ts';
import { startModelServer } from '../support/model-server/model-server.ts';
import { askPerson } from '../support/model-server/replies.ts';
import { scenarioTag } from '../support/model-server/script.ts';
import { RelayWorld } from '../support/relay-world.ts';
import { makeRepository } from '../support/sample-repositories.ts';
import type { BenchRow } from './bench-row.ts';
import { median } from './statistics.ts';

const ROUNDS = 9;
const LIMIT = 1.3;
const wallMs = (): number => performance.timeOrigin + performance.now();

/**
 * P2: from the answer to the real CLI's first request after resume, against the CLI spawned bare with the same
 * flags, in turns on the same machine at the same time. Both sessions grow by the same question each round.
 */
export async function benchAnswerToRequest(): Promise<BenchRow[]> {
  const claude = await ensureClaudeCli();
  await using model = await startModelServer();
  model.script('hub', ({ earlier }) => askPerson(`Question ${earlier}?`));
  model.script('bare', ({ earlier }) => askPerson(`Question ${earlier}?`));
  await using world = await RelayWorld.create({ claude, modelBaseUrl: model.baseUrl });
  await world.json(['agent', 'set', 'claude', 'calls-per-day=1000']);
  await world.addProject('bench', { flags: ['--max-questions', '100', '--calls-per-day', '1000'] });
  const task = await world.addTask('bench', 'Ask on', scenarioTag('hub'));
  const hub = await world.startHub();

  const cwd = path.join(world.folder, 'bare');
  await mkdir(cwd);
  await makeRepository(cwd, 'python');
  const sessionId = randomUUID() as SessionId;
  const runBare = async (session: 'new' | 'resume', input: string): Promise<number> => {
    const seen = model.requestsOf('bare').length;
    const argv = relayArgv({
      sessionId,
      session,
      model: 'sonnet',
      budgetMicroUsd: microUsdFromUsd(0.5),
      outputForm: 'stream-json',
    });
    const startedAt = wallMs();
    await execa(claude, argv, {
      cwd,
      env: claudeEnvironment(world.home, model.baseUrl),
      extendEnv: false,
      input,
    });
    return (model.requestsOf('bare')[seen]?.receivedAt ?? NaN) - startedAt;
  };
  await runBare('new', `Ask on. ${scenarioTag('bare')}`);

  const bare: number[] = [];
  const fromDispatch: number[] = [];
  const fromCommand: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    // Once the question is there the hub's last turn is over, so that neither is measured beside the other.
    const question = await world.untilItem('specify', task);
    bare.push(await runBare('resume', `Answer ${round}`));
    const seen = model.requestsOf('hub').length;
    const startedAt = wallMs();
    const item = await world.json<ItemView>(['answer', String(question.number), '--text', `Answer ${round}`]);
    const request = await model.waitFor(
      (each) => each.scenario === 'hub' && each.earlier === seen,
      'the request after the answer',
    );
    fromCommand.push(request.receivedAt - startedAt);
    fromDispatch.push(request.receivedAt - Date.parse(item.dispatchAt ?? item.respondedAt ?? ''));
  }
  await hub.stop();

  const base = median(bare);
  const row = (what: string, values: readonly number[], isBar: boolean): BenchRow => {
    const value = median(values) / base;
    return {
      bar: 'P2',
      what,
      value,
      unit: '×',
      limit: isBar ? `≤ ${LIMIT}` : '',
      ok: isBar ? value <= LIMIT : null,
      note: `${median(values).toFixed(0)} ms against ${base.toFixed(0)} ms bare, medians of ${ROUNDS}`,
    };
  };
  return [
    row('answer dispatched → first request after resume', fromDispatch, true),
    row('the same from the start of the `answer` command, its own start-up included', fromCommand, false),
  ];
}
