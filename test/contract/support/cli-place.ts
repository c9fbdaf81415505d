import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { relayArgv } from '../../../src-main/core/harness/claude-code/argv.ts';
import type { SessionId } from '../../../src-shared/ids.ts';
import { microUsdFromUsd } from '../../../src-shared/money.ts';
import { claudeEnvironment, ensureClaudeCli } from '../../support/claude-cli.ts';
import { startModelServer, type ModelServer } from '../../support/model-server/model-server.ts';
import { makeRepository } from '../../support/sample-repositories.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

export type Json = Record<string, unknown>;

/** What one process of the real CLI did. */
export interface CliResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Stream lines in order. */
  readonly lines: readonly Json[];
  /** The result line or object, null when none came. */
  readonly result: Json | null;
}

export interface CliTurn {
  readonly sessionId: string;
  readonly session?: 'new' | 'resume';
  readonly prompt: string;
  readonly budgetUsd?: number;
  readonly outputForm?: 'stream-json' | 'json';
  readonly environment?: Readonly<Record<string, string>>;
}

export interface RunningCli {
  readonly pid: number;
  readonly done: Promise<CliResult>;
}

/** A working folder, a HOME and a model server for the real CLI run by itself. */
export interface CliPlace extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  /** A folder beside the working folder, which nothing may write to. */
  readonly outside: string;
  readonly model: ModelServer;
  start(turn: CliTurn): RunningCli;
  run(turn: CliTurn): Promise<CliResult>;
  /** Text of every transcript file of the session; '' when there is none. */
  transcript(sessionId: string): Promise<string>;
}

const parseLines = (stdout: string): Json[] =>
  stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Json);

export async function makeCliPlace(): Promise<CliPlace> {
  const executable = await ensureClaudeCli();
  const temp = makeTempFolder('cli');
  const [cwd, home, outside] = ['project', 'home', 'outside'].map((name) => temp.join(name)) as [
    string,
    string,
    string,
  ];
  await mkdir(home);
  await mkdir(outside);
  await makeRepository(cwd, 'python');
  const model = await startModelServer();

  const start = (turn: CliTurn): RunningCli => {
    const argv = relayArgv({
      sessionId: turn.sessionId as SessionId,
      session: turn.session ?? 'new',
      model: 'sonnet',
      budgetMicroUsd: microUsdFromUsd(turn.budgetUsd ?? 0.5),
      outputForm: turn.outputForm ?? 'stream-json',
    });
    const child = execa(executable, argv, {
      cwd,
      env: {
        ...claudeEnvironment(home, model.baseUrl),
        CLAUDE_CODE_MAX_RETRIES: '1',
        ...turn.environment,
      },
      extendEnv: false,
      reject: false,
      input: turn.prompt,
    });
    if (child.pid === undefined) throw new Error(`${executable} could not be started.`);
    return {
      pid: child.pid,
      done: child.then(({ exitCode, signal, stdout, stderr }) => {
        const lines = parseLines(stdout);
        return {
          exitCode: exitCode ?? null,
          signal: signal ?? null,
          stdout,
          stderr,
          lines,
          result: lines.find((line) => line['type'] === 'result') ?? null,
        };
      }),
    };
  };

  return {
    cwd,
    home,
    outside,
    model,
    start,
    run: (turn) => start(turn).done,
    transcript: async (sessionId) => {
      const projects = path.join(home, '.claude/projects');
      const files = await readdir(projects, { recursive: true }).catch(() => []);
      const own = files.filter((file) => path.basename(file) === `${sessionId}.jsonl`);
      const texts = await Promise.all(own.map((file) => readFile(path.join(projects, file), 'utf8')));
      return texts.join('\n');
    },
    [Symbol.asyncDispose]: async () => {
      await model.close();
      temp.dispose();
    },
  };
}
