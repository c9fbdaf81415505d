#!/usr/bin/env node
/**
 * A stand-in for the `claude` program: it behaves as the recordings of 2.1.332 do in a relay turn, and what the
 * "model" says comes from a scenario (`scripted-scenario.ts` has the format). The demo ships with it; tests drive
 * Signalbox against it. It imports nothing but Node's own modules, so that it starts fast.
 *
 * `claude --version` · `claude auth status` · `claude -p …` with exactly the flags of a relay turn and the prompt
 * on stdin. Anything else is refused as the real one refuses it: a line on stderr, exit 1.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readArguments } from './scripted-arguments.ts';
import type { ScriptedTurnArguments } from './scripted-arguments.ts';
import { demoSteps } from './scripted-demo.ts';
import { initLine, resultLine } from './scripted-output.ts';
import { print, printLine, writeLog } from './scripted-print.ts';
import type { Scenario, ScenarioRule, ScenarioStep } from './scripted-scenario.ts';
import { configFolder, openSession } from './scripted-session.ts';
import type { ScriptedSession } from './scripted-session.ts';
import { ScriptedTurn } from './scripted-turn.ts';

const { env } = process;
const INPUT_LIMIT_MS = 3_000;

interface Setup {
  readonly scenario: Scenario | null;
  /** Where the log goes and where used-up rules are marked. */
  readonly base: string;
}

function loadSetup(): Setup {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? '.';
  const file = [
    env['SIGNALBOX_SCRIPTED'],
    env['CLAUDE_SCRIPTED_SCENARIO'],
    path.join(home, '.scripted-claude.json'),
  ].find((candidate) => candidate !== undefined && candidate !== '' && existsSync(candidate));
  if (file === undefined) return { scenario: null, base: path.join(configFolder(env), 'scripted-claude') };
  return { scenario: JSON.parse(readFileSync(file, 'utf8')) as Scenario, base: file };
}

/** Ends with stdin, or gives up after 3 s when nothing came at all, as the real one does. */
async function readPrompt(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let giveUp: NodeJS.Timeout | undefined;
  const tooLate = new Promise<null>((resolve) => {
    giveUp = setTimeout(() => {
      if (chunks.length === 0) resolve(null);
    }, INPUT_LIMIT_MS);
  });
  const all = (async (): Promise<string> => {
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  })();
  const prompt = await Promise.race([all, tooLate]);
  clearTimeout(giveUp);
  return prompt;
}

/** Takes one of the rule's uses, over all processes at once: making a file that is there fails. */
function claim(base: string, index: number, times: number): boolean {
  for (let use = 1; use <= times; use += 1) {
    try {
      closeSync(openSync(`${base}.used-${index}-${use}`, 'wx', 0o600));
      return true;
    } catch {
      // Taken by an earlier turn.
    }
  }
  return false;
}

function matches(
  rule: ScenarioRule,
  earlier: readonly string[],
  prompt: string,
  args: ScriptedTurnArguments,
): boolean {
  const match = rule.match ?? {};
  const { conversation } = match;
  return (
    (match.cwd === undefined || process.cwd().includes(match.cwd)) &&
    (match.file === undefined || existsSync(match.file)) &&
    (match.prompt === undefined || prompt.includes(match.prompt)) &&
    (conversation === undefined || [...earlier, prompt].some((text) => text.includes(conversation))) &&
    (match.turn === undefined || match.turn === earlier.length + 1) &&
    (match.session === undefined || match.session === args.session)
  );
}

function chooseRule(
  setup: Setup,
  session: ScriptedSession,
  prompt: string,
  args: ScriptedTurnArguments,
): { readonly index: number | null; readonly steps: readonly ScenarioStep[]; readonly history: string } {
  const rules = setup.scenario?.rules ?? [];
  for (const [index, rule] of rules.entries()) {
    if (!matches(rule, session.prompts, prompt, args)) continue;
    if (rule.times !== undefined && !claim(setup.base, index, rule.times)) continue;
    return { index, steps: rule.steps, history: rule.history ?? 'at-once' };
  }
  return { index: null, steps: demoSteps(session, prompt, process.cwd()), history: 'at-once' };
}

async function refuse(message: string): Promise<number> {
  await print(process.stderr, `${message}\n`);
  return 1;
}

async function runTurn(argv: readonly string[], setup: Setup): Promise<number> {
  const log = `${setup.base}.log`;
  mkdirSync(path.dirname(log), { recursive: true });
  const { pid } = process;
  const cwd = process.cwd();
  writeLog(log, { event: 'launch', pid, cwd, argv, environment: Object.keys(env).toSorted() });

  const args = readArguments(argv);
  if (args.kind === 'wrong') return refuse(args.message);
  const prompt = await readPrompt();
  if (prompt === null || prompt === '') {
    return refuse(
      'Error: Input must be provided either through stdin or as a prompt argument when using --print',
    );
  }
  if (prompt.trim() === '') return refuse('Error: Input contained only whitespace. A prompt is needed.');

  const opened = openSession(configFolder(env), cwd, args.sessionId, args.session);
  if (opened.kind === 'in-use') return refuse(`Error: Session ID ${args.sessionId} is already in use.`);
  if (opened.kind === 'unknown') return refuseUnknown(args);

  const { session } = opened;
  const { index, steps, history } = chooseRule(setup, session, prompt, args);
  const turnNumber = session.prompts.length + 1;
  if (history === 'at-once') session.recordPrompt(prompt);
  writeLog(log, {
    event: 'prompt',
    pid,
    sessionId: args.sessionId,
    session: args.session,
    turn: turnNumber,
    rule: index,
    prompt,
  });

  const turn = new ScriptedTurn({
    args,
    cwd,
    session: history === 'at-once' ? session : keptUntilTheEnd(session, prompt),
    usdPerReply: setup.scenario?.usdPerReply ?? 0.0029,
    forked: (children) => writeLog(log, { event: 'forked', pid, children }),
  });
  process.on('SIGTERM', () => {
    if (!turn.isSigtermIgnored) process.exit(143);
  });
  process.on('SIGHUP', () => process.exit(129));
  // While a model answers, an interrupt looks like a clean end without a result.
  process.on('SIGINT', () => process.exit(0));

  if (args.outputForm === 'stream-json') {
    await printLine(initLine(args, cwd, setup.scenario?.version ?? '2.1.332'));
  }
  const end = await turn.play(steps);
  writeLog(log, { event: 'end', pid, ...end });
  return end.exitCode;
}

/** A session whose history is written only when the turn ends. */
function keptUntilTheEnd(session: ScriptedSession, prompt: string): ScriptedSession {
  return {
    ...session,
    recordPrompt: () => undefined,
    recordReply: () => undefined,
    recordEnd: (end) => {
      session.recordPrompt(prompt);
      session.recordEnd(end);
    },
  };
}

async function refuseUnknown(args: ScriptedTurnArguments): Promise<number> {
  const message = `No conversation found with session ID: ${args.sessionId}`;
  if (args.outputForm === 'stream-json') {
    const none = { replies: 0, usd: 0 };
    const fields = {
      subtype: 'error_during_execution',
      is_error: true,
      stop_reason: null,
      errors: [message],
    };
    await printLine(
      resultLine({ ...args, model: args.model, total: none, turn: none, denials: [], durationMs: 0, fields }),
    );
  }
  return refuse(message);
}

async function main(argv: readonly string[]): Promise<number> {
  const setup = loadSetup();
  if (argv[0] === '--version') {
    await print(process.stdout, `${setup.scenario?.version ?? '2.1.332'} (Claude Code)\n`);
    return 0;
  }
  if (argv[0] === 'auth' && argv[1] === 'status') {
    const { loggedIn, authMethod = 'api_key' } = setup.scenario?.auth ?? { loggedIn: true };
    const status = { loggedIn, authMethod: loggedIn ? authMethod : 'none', apiProvider: 'firstParty' };
    await print(process.stdout, `${JSON.stringify(status)}\n`);
    return loggedIn ? 0 : 1;
  }
  return runTurn(argv, setup);
}

process.exit(await main(process.argv.slice(2)));
