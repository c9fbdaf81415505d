import type {
  CommandOutcome,
  CommandRequest,
  CommandRunner,
  RunningCommand,
} from '../../core/ports/commands.ts';
import { ownerMark } from '../../core/ports/world.ts';
import type { Artifacts, Clock, Log } from '../../core/ports/world.ts';
import { commandEnvironment, toolEnvironment } from '../environment.ts';
import type { OwnedChild, Spawner } from '../process/spawn-owned.ts';
import { createAccountGrants } from './account-grants.ts';
import { createAccounts } from './accounts.ts';
import { createConfinementProbe } from './confinement.ts';
import { createFenceBuilder } from './fence-builder.ts';
import { withoutSockets } from './named-sockets.ts';
import { createOutputCollector } from './output-collector.ts';
import { commandWords, invocation, refused } from './run-plan.ts';
import type { Fence } from './run-plan.ts';
import { isAppError } from '../../../src-shared/errors.ts';
import type { HubId } from '../../../src-shared/ids.ts';

export interface CommandRunnerParts {
  readonly spawner: Spawner;
  readonly clock: Clock;
  readonly log: Log;
  readonly artifacts: Artifacts;
  /** The hub's own environment, whole: what is inherited is chosen here, and its sockets are hidden. */
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  /** The person's HOME, absolute. */
  readonly homeFolder: string;
  /** Home of the account that the hub runs as, where the system knows one: sudo may leave HOME another. */
  readonly accountHome?: string | null;
  /** The data directory, absolute; the trees lie in it. */
  readonly dataFolder: string;
  readonly hubId: HubId;
  readonly platform?: NodeJS.Platform;
  /** Effective user and group of this process; -1 where the system has none. */
  readonly self?: { readonly uid: number; readonly gid: number };
}

/**
 * Runs test and set-up commands behind the fence that the project and the machine give (12-engine, Test runs).
 * A run under an account expects that the caller holds the account lock.
 */
export function createCommandRunner(parts: CommandRunnerParts): CommandRunner {
  const { spawner, clock, log, artifacts, inheritedEnv, platform = process.platform } = parts;
  /** Of the runner's own short checks, which belong to no attempt. */
  const mark = ownerMark(parts.hubId, 'tests');
  const self = parts.self ?? { uid: process.geteuid?.() ?? -1, gid: process.getegid?.() ?? -1 };
  const toolEnv = toolEnvironment(inheritedEnv, platform);
  const sudoUser = inheritedEnv['SUDO_USER'] ?? null;
  const accounts = createAccounts({ spawner, clock, log, toolEnv, platform, mark, sudoUser, self });
  const grants = createAccountGrants({ accounts, self, log });
  const probe = createConfinementProbe({ spawner, platform, toolEnv, mark });
  const fences = createFenceBuilder({ ...parts, accounts, probe });

  /** After a run under an account: first nothing of it lives, then its work is ours, then the grant goes. */
  const giveBack = async (fence: Fence): Promise<void> => {
    if (fence.account === null) return;
    if (!(await accounts.reap(fence.account.name))) return;
    try {
      await grants.revoke(fence.plan.tree, fence.account);
    } catch (error) {
      // The next start, or the next run, takes it back; the outcome of the tests stands.
      log.error('the grant of a tree could not be taken back', { error: String(error) });
    }
  };

  const run = async (request: CommandRequest, stopping: StopControl): Promise<CommandOutcome> => {
    const environment = commandEnvironment(inheritedEnv, request.environmentNames, platform);
    const built = await fences.build(request, environment);
    if (built.kind === 'refused') return built;
    const { fence } = built;
    try {
      if (fence.account !== null) await grants.grant(fence.plan.tree, fence.account);
      const env = withoutSockets(
        environment,
        new Set([...fence.plan.hiddenFiles.map((file) => file.path), ...fence.plan.hiddenFolders]),
      );
      const problem = stopping.isStopped ? null : await fences.checkExecutable(request, fence, env);
      if (problem !== null) return problem;
      if (stopping.isStopped) return { kind: 'stopped' };
      return await execute(request, fence, env, stopping);
    } catch (error) {
      if (!isAppError(error, 'account-unusable')) throw error;
      return refused('account-unusable', error.message, error.hint ?? '');
    } finally {
      await giveBack(fence);
      await fences.dispose(fence);
    }
  };

  const execute = async (
    request: CommandRequest,
    fence: Fence,
    environment: Readonly<Record<string, string>>,
    stopping: StopControl,
  ): Promise<CommandOutcome> => {
    const { input, ...what } = invocation(
      fence,
      commandWords(request),
      environment,
      accounts.isRoot,
      request.ownerMark,
    );
    const startedAt = clock.monotonic();
    const child = await spawner.startOwned({
      ...what,
      cwd: fence.account !== null && !accounts.isRoot ? '/' : fence.plan.tree,
      mark: request.ownerMark,
      stdin: input === null ? 'ignore' : 'pipe',
    });
    if (child.kind === 'not-started') {
      if (child.code === 'killed') return { kind: 'stopped' };
      return refused('executable-not-found', child.message, 'Look at the test command of the project.');
    }
    const output = createOutputCollector();
    child.stdout.on('data', (chunk: Uint8Array) => output.add(chunk));
    child.stderr.on('data', (chunk: Uint8Array) => output.add(chunk));
    const end = endOnce(child, fence);
    stopping.onStop(end);
    let isTimedOut = false;
    const timer = clock.after(request.timeout, () => {
      isTimedOut = true;
      void end();
    });
    try {
      request.started({ pid: child.pid, processStart: child.processStart });
      if (input !== null && child.stdin !== null) {
        await child.stdin.write(input);
        child.stdin.end();
      }
    } catch (error) {
      // What could not be recorded must not run on.
      timer.dispose();
      await end();
      throw error;
    }
    const ending = await child.closed;
    timer.dispose();
    const durationMs = Math.round(clock.monotonic() - startedAt);
    if (ending.leftovers.alive.length > 0) {
      log.error('processes of a test run live on', { pids: ending.leftovers.alive.join(' ') });
    }
    if (stopping.isStopped) return { kind: 'stopped' };
    const { text, bytes, tail } = output.finish();
    if (fence.sandbox === 'bubblewrap' && !isTimedOut && isSandboxFailure(ending.exitCode, text)) {
      return refused(
        'sandbox-unavailable',
        `The sandbox could not be made: ${tail.trim()}`,
        'Try again, or see `signalbox doctor`.',
      );
    }
    const outputHash = await artifacts.write(text);
    const common = { durationMs, confinement: fence.confinement, outputHash, outputBytes: bytes, tail };
    if (isTimedOut) return { kind: 'timed-out', ...common };
    return { kind: 'exited', exitCode: ending.exitCode, signal: ending.signal, ...common };
  };

  /** Ends the tree; under an account its own processes first, which only it or root may end. */
  const endOnce = (child: OwnedChild, fence: Fence): (() => Promise<void>) => {
    let ended: Promise<void> | null = null;
    const end = async (): Promise<void> => {
      if (fence.account !== null && !accounts.isRoot) await accounts.reap(fence.account.name);
      await child.stop();
    };
    return () => (ended ??= end());
  };

  return {
    start: (request): RunningCommand => {
      const stopping = createStopControl();
      const outcome = run(request, stopping);
      // Whoever only stops it need not look at the outcome.
      outcome.catch(() => undefined);
      return {
        outcome,
        stop: async () => {
          await stopping.stop();
          await outcome.catch(() => undefined);
        },
      };
    },
    confinement: () => probe.look(),
    checkAccount: (name) => accounts.check(name),
    reapAccount: (name) => accounts.reap(name),
    revokeGrants: async (trees, name) => {
      const account = await accounts.find(name);
      if (account === null) return;
      for (const tree of trees) await fences.revokeLeftover(tree, account, grants);
    },
  };
}

/** Bubblewrap's own failure to start (it exits with 1 and one line of its own), which is no result of the tests. */
const isSandboxFailure = (exitCode: number | null, text: string): boolean =>
  exitCode === 1 && /^bwrap: [^\n]+\n?$/.test(text);

interface StopControl {
  readonly isStopped: boolean;
  onStop(end: () => Promise<void>): void;
  stop(): Promise<void>;
}

/** A stop may come before there is anything to end. */
function createStopControl(): StopControl {
  let isStopped = false;
  let end: (() => Promise<void>) | null = null;
  return {
    get isStopped() {
      return isStopped;
    },
    onStop: (how) => {
      end = how;
      if (isStopped) void how();
    },
    stop: async () => {
      isStopped = true;
      await end?.();
    },
  };
}
