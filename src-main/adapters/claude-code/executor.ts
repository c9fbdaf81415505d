import path from 'node:path';
import { readAuthStatus, readVersion } from '../../core/harness/claude-code/auth-status.ts';
import { argvProblem, relayArgv } from '../../core/harness/claude-code/argv.ts';
import type { Discovery, Executor, LaunchResult, RelayTurnRequest } from '../../core/ports/harness.ts';
import type { Clock, Log, Processes } from '../../core/ports/world.ts';
import { ownerMark } from '../../core/ports/world.ts';
import type { HubId } from '../../../src-shared/ids.ts';
import { seconds } from '../../../src-shared/time.ts';
import type { Finished, Spawner } from '../process/spawn-owned.ts';
import { claudeEnvironment, variable } from './environment.ts';
import { locateClaude } from './locate.ts';
import type { Located } from './locate.ts';
import { createRelayTurn } from './relay-turn.ts';
import { traceSession } from './session-trace.ts';

export interface ClaudeExecutorOptions {
  readonly spawner: Spawner;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly log: Log;
  /** Owner of the short `--version` and `auth status` runs; turns carry the mark of their attempt. */
  readonly hubId: HubId;
  /** Environment of this process, from which an allowlist is passed on. */
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Path or command; absent means `SIGNALBOX_CLAUDE`, else `claude` on PATH. */
  readonly claudeCommand?: string;
  readonly platform?: NodeJS.Platform;
  /** The Node that runs a Claude Code which is a script. */
  readonly nodePath?: string;
}

const SHORT_RUN = seconds(20);
const SHORT_RUN_BYTES = 256 * 1024;

const problemOf = (run: Finished): string => {
  switch (run.kind) {
    case 'not-started':
      return 'It could not be started.';
    case 'timed-out':
      return 'It did not answer in 20 seconds.';
    case 'too-much-output':
      return 'It printed far too much.';
    case 'stopped':
      return 'It was stopped.';
    case 'exited':
      return `It ended with ${run.signal === null ? `exit code ${run.exitCode ?? 'unknown'}` : `signal ${run.signal}`}.`;
  }
};

/** Runs turns through the person's own Claude Code, one process a turn (10-relay, Command lines). */
export function createClaudeExecutor(options: ClaudeExecutorOptions): Executor {
  const { spawner, log, inheritedEnv, homeFolder } = options;
  const platform = options.platform ?? process.platform;
  let known: { readonly identity: string; readonly discovery: Discovery } | null = null;

  const configured = options.claudeCommand ?? inheritedEnv['SIGNALBOX_CLAUDE'] ?? null;
  const locate = (): Promise<Located> =>
    locateClaude({
      configured,
      searchPath: variable(claudeEnvironment(inheritedEnv, [], platform), 'PATH', platform) ?? '',
      platform,
      nodePath: options.nodePath ?? process.execPath,
      folder: homeFolder,
    });
  /** Where the child keeps its sessions: as it sees its own environment. */
  const configFolder = (): string => {
    const configured = variable(inheritedEnv, 'CLAUDE_CONFIG_DIR', platform);
    if (configured) return path.resolve(homeFolder, configured);
    const home = variable(inheritedEnv, platform === 'win32' ? 'USERPROFILE' : 'HOME', platform);
    return path.join(home || homeFolder, '.claude');
  };
  const runShort = (found: Extract<Located, { kind: 'found' }>, args: readonly string[]): Promise<Finished> =>
    spawner.run({
      file: found.file,
      args: [...found.firstArgs, ...args],
      cwd: homeFolder,
      env: claudeEnvironment(inheritedEnv, [], platform),
      mark: ownerMark(options.hubId, 'claude'),
      timeout: SHORT_RUN,
      maxBytes: SHORT_RUN_BYTES,
    });

  const discover = async (): Promise<Discovery> => {
    const found = await locate();
    if (found.kind === 'not-found') return found;
    if (found.kind === 'unusable') {
      return { kind: 'unusable', executable: found.path, problem: found.problem };
    }
    const identity = `${found.path}\n${found.identity}`;
    if (known?.identity === identity) return known.discovery;
    const run = await runShort(found, ['--version']);
    const version =
      run.kind === 'exited' && run.exitCode === 0 ? readVersion(run.stdout.toString('utf8')) : null;
    if (version === null) {
      const problem =
        run.kind === 'exited' && run.exitCode === 0
          ? 'It does not say that it is Claude Code.'
          : problemOf(run);
      return { kind: 'unusable', executable: found.path, problem };
    }
    const discovery: Discovery = { kind: 'found', executable: found.path, version };
    known = { identity, discovery };
    return discovery;
  };

  const launch = async (request: RelayTurnRequest): Promise<LaunchResult> => {
    const refused = argvProblem(request);
    if (refused !== null) return { kind: 'not-started', message: refused };
    const found = await locate();
    if (found.kind === 'not-found') {
      return {
        kind: 'not-started',
        message: `Claude Code was not found: ${configured ?? 'claude on PATH'}. Install it, or set SIGNALBOX_CLAUDE to its path.`,
      };
    }
    if (found.kind === 'unusable') return { kind: 'not-started', message: `${found.path}: ${found.problem}` };
    const args = [...found.firstArgs, ...relayArgv(request)];
    const child = await spawner.startOwned({
      file: found.file,
      args,
      cwd: request.cwd,
      env: claudeEnvironment(inheritedEnv, request.environmentNames, platform),
      mark: request.ownerMark,
      stdin: 'pipe',
    });
    if (child.kind === 'not-started') return { kind: 'not-started', message: child.message };
    log.info('Claude Code was started', {
      pid: child.pid,
      session: request.session,
      mark: request.ownerMark,
    });
    const turn = createRelayTurn({
      child,
      argv: [found.file, ...args],
      timeout: request.timeout,
      clock: options.clock,
      log,
      processes: options.processes,
    });
    return { kind: 'launched', turn };
  };

  return {
    discover,
    async loginState() {
      const found = await locate();
      if (found.kind !== 'found') return { kind: 'unknown', problem: 'Claude Code was not found.' };
      const run = await runShort(found, ['auth', 'status']);
      // Exit 1 is how it says "logged out"; what it printed decides.
      if (run.kind !== 'exited') return { kind: 'unknown', problem: problemOf(run) };
      return readAuthStatus(run.stdout.toString('utf8'));
    },
    launch,
    trace: (sessionId, cwd, delivery) =>
      traceSession({
        configFolder: configFolder(),
        sessionId,
        cwd,
        delivery,
      }),
  };
}
