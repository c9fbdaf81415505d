import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { HubId, SessionId } from '../../src-shared/ids.ts';
import { microUsd } from '../../src-shared/money.ts';
import { seconds } from '../../src-shared/time.ts';
import { createClaudeExecutor } from '../adapters/claude-code/executor.ts';
import { GUARDIAN_FILE } from '../adapters/process/guardian-protocol.ts';
import type { Spawner } from '../adapters/process/spawner.ts';
import type { ScriptedAgent } from '../core/notify/self-test.ts';
import type { RelayTurn, TurnOutcome } from '../core/ports/harness.ts';
import { ownerMark, type Clock, type Ids, type Log, type Processes } from '../core/ports/world.ts';

export interface ScriptedAgentParts {
  readonly spawner: Spawner;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly log: Log;
  readonly ids: Ids;
  readonly hubId: HubId;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As in `BuildOptions`. */
  readonly node?: { readonly executable: string; readonly guardian: string };
}

const QUESTION = 'Does this notification reach you?';
/** The price of nothing: the scripted agent calls no service. */
const BUDGET = microUsd(1_000_000);
const SCENARIO = {
  rules: [
    { match: { turn: 1 }, steps: [{ do: 'ask', question: QUESTION, options: ['Yes'] }] },
    { steps: [{ do: 'done', summary: 'The answer is here.' }] },
  ],
};

/**
 * The scripted stand-in for Claude Code, which lies beside the guardian, through the same executor as every turn: its
 * question ends the first turn, the answer resumes the session. It has a folder and a home of its own, and costs
 * nothing.
 */
export function startScriptedAgent(parts: ScriptedAgentParts): ScriptedAgent {
  const { ids } = parts;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signalbox-self-test-'));
  const [home, work] = [path.join(folder, 'home'), path.join(folder, 'work')];
  for (const each of [home, work]) mkdirSync(each);
  writeFileSync(path.join(home, '.scripted-claude.json'), JSON.stringify(SCENARIO));
  const sessionId: SessionId = ids.sessionId();
  const executor = createClaudeExecutor({
    spawner: parts.spawner,
    processes: parts.processes,
    clock: parts.clock,
    log: parts.log,
    hubId: parts.hubId,
    inheritedEnv: {
      PATH: parts.env['PATH'],
      SystemRoot: parts.env['SystemRoot'],
      HOME: home,
      USERPROFILE: home,
    },
    homeFolder: home,
    claudeCommand: path.join(path.dirname(parts.node?.guardian ?? GUARDIAN_FILE), 'scripted-claude.js'),
    ...(parts.node === undefined ? {} : { nodePath: parts.node.executable }),
  });
  let running: RelayTurn | null = null;

  async function turn(session: 'new' | 'resume', prompt: string): Promise<TurnOutcome> {
    const launched = await executor.launch({
      launchId: ids.next('launch'),
      ownerMark: ownerMark(parts.hubId, 'self-test'),
      sessionId,
      session,
      cwd: work,
      model: 'sonnet',
      budgetMicroUsd: BUDGET,
      outputForm: 'stream-json',
      environmentNames: [],
      timeout: seconds(30),
    });
    if (launched.kind === 'not-started') return { kind: 'not-started', message: launched.message };
    running = launched.turn;
    if (!(await running.writePrompt(prompt))) {
      return { kind: 'not-started', message: 'The scripted agent ended before it read anything.' };
    }
    // They must be read, or it would stand still.
    for await (const _event of running.events);
    const outcome = await running.outcome;
    running = null;
    return outcome;
  }

  function expected(outcome: TurnOutcome, kind: 'question' | 'done'): void {
    if (outcome.kind === kind) return;
    const said = 'message' in outcome ? outcome.message : `It ended as ${outcome.kind}.`;
    throw new Error(`The scripted agent did not do its part. ${said}`);
  }

  return {
    ask: async () => expected(await turn('new', 'Ask the person whether notifications arrive.'), 'question'),
    answer: async (text) => expected(await turn('resume', text), 'done'),
    end: async () => {
      await running?.stop('person');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
