/** What `doctor` looks at. Nothing here may fail because something is broken: that is what it has to say. */
import { existsSync } from 'node:fs';
import os from 'node:os';
import type { DoctorCheck } from '../../src-shared/api/doctor.ts';
import { isAppError } from '../../src-shared/errors.ts';
import type { HubId } from '../../src-shared/ids.ts';
import { seconds } from '../../src-shared/time.ts';
import { readConfig } from '../adapters/config-file.ts';
import { createClaudeExecutor } from '../adapters/claude-code/executor.ts';
import { toolEnvironment } from '../adapters/environment.ts';
import { readHubRecord } from '../adapters/hub-lock/hub-record.ts';
import { listensAt } from '../adapters/local-socket/listens-at.ts';
import { GUARDIAN_FILE } from '../adapters/process/guardian-protocol.ts';
import { createProcessTable } from '../adapters/process/process-table.ts';
import { createSpawner, type Spawner } from '../adapters/process/spawn-owned.ts';
import { createRandomIds } from '../adapters/random-ids.ts';
import { createConfinementProbe } from '../adapters/test-runner/confinement.ts';
import { ownerMark } from '../core/ports/world.ts';
import { checkBrowser } from './doctor-browser.ts';
import { bad, ok, type DoctorHost } from './doctor-check.ts';
import { checkPath } from './doctor-path.ts';
import { checkNotifications } from './doctor-notifications.ts';
import { checkDataFolder, checkDisk, checkStore, loadExamination, loadLock } from './doctor-data.ts';

/** Loads what the checks load when they run. */
export const loadChecks = () => Promise.all([loadLock(), loadExamination()]);

/** `merge-tree --write-tree` came with 2.38. */
const OLDEST_GIT = [2, 38] as const;

const isAtLeast = (version: string, oldest: readonly [number, number]): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
};

/** Names where it was looked for, since a wrong path is mended elsewhere than a missing program. */
function claudeNotFound(variable: string | null, configured: string | null): DoctorCheck {
  const install = 'Install it: npm install -g @anthropic-ai/claude-code';
  if (variable !== null) {
    const fix = `Correct or unset SIGNALBOX_CLAUDE. ${install}`;
    return bad('Claude Code', 'problem', `not found: ${variable} (SIGNALBOX_CLAUDE)`, fix);
  }
  if (configured !== null) {
    const fix = `Correct it there. ${install}`;
    return bad('Claude Code', 'problem', `not found: ${configured} (claude in the configuration file)`, fix);
  }
  return bad(
    'Claude Code',
    'problem',
    'not found: claude on PATH',
    `${install}, or set SIGNALBOX_CLAUDE to its path.`,
  );
}

async function checkClaude(
  host: DoctorHost,
  spawner: Spawner,
  hubId: HubId,
): Promise<readonly DoctorCheck[]> {
  const config = await readConfig(host.folder.config).catch(() => null);
  const executor = createClaudeExecutor({
    spawner,
    processes: createProcessTable({ clock: host.clock }),
    clock: host.clock,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    hubId,
    inheritedEnv: host.env,
    homeFolder: os.homedir(),
    ...(config?.claude === undefined || host.env['SIGNALBOX_CLAUDE'] !== undefined
      ? {}
      : { claudeCommand: config.claude }),
  });
  const found = await executor.discover();
  if (found.kind === 'not-found') {
    return [claudeNotFound(host.env['SIGNALBOX_CLAUDE'] ?? null, config?.claude ?? null)];
  }
  if (found.kind === 'unusable') {
    const fix = 'Run it by hand to see what is wrong, or set SIGNALBOX_CLAUDE to another one.';
    return [bad('Claude Code', 'problem', `${found.executable}: ${found.problem}`, fix)];
  }
  const claude = ok('Claude Code', `${found.version} at ${found.executable}`);
  const login = await executor.loginState();
  switch (login.kind) {
    case 'logged-in':
      return [claude, ok('login', `logged in (${login.method})`)];
    case 'logged-out':
      return [claude, bad('login', 'problem', 'logged out', `Log in: ${found.executable} auth login`)];
    case 'unknown':
      return [
        claude,
        bad('login', 'warning', login.problem, 'Start claude once and see whether it answers.'),
      ];
  }
}

async function checkGit(host: DoctorHost, spawner: Spawner, hubId: HubId): Promise<DoctorCheck> {
  const run = await spawner.run({
    file: 'git',
    args: ['--version'],
    cwd: os.homedir(),
    env: toolEnvironment(host.env, process.platform),
    mark: ownerMark(hubId, 'doctor'),
    timeout: seconds(10),
    maxBytes: 4096,
  });
  const fix = `Install git ${OLDEST_GIT.join('.')} or newer.`;
  if (run.kind !== 'exited' || run.exitCode !== 0)
    return bad('git', 'problem', 'not found, or it does not run', fix);
  const version = /\d+\.\d+(\.\d+)?/.exec(run.stdout.toString('utf8'))?.[0] ?? 'unknown version';
  return isAtLeast(version, OLDEST_GIT) ? ok('git', version) : bad('git', 'problem', version, fix);
}

async function checkSandbox(host: DoctorHost, spawner: Spawner, hubId: HubId): Promise<DoctorCheck> {
  const { platform } = process;
  const probe = createConfinementProbe({
    spawner,
    platform,
    toolEnv: toolEnvironment(host.env, platform),
    mark: ownerMark(hubId, 'doctor'),
  });
  const { kind, problem } = await probe.look();
  return problem === null
    ? ok('sandbox for tests', kind)
    : bad(
        'sandbox for tests',
        'warning',
        problem,
        'Without it a project needs allow_unconfined_tests=true to run tests.',
      );
}

async function checkConfig(host: DoctorHost): Promise<DoctorCheck> {
  try {
    await readConfig(host.folder.config);
    return ok('configuration', host.folder.config);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return bad('configuration', 'problem', error.message, error.hint ?? 'Correct the file.');
  }
}

async function checkHub(host: DoctorHost): Promise<DoctorCheck> {
  const record = readHubRecord(host.folder.data);
  if (record === null || record.socket === null) return ok('hub', 'not running');
  return (await listensAt(record.socket))
    ? ok('hub', `running, pid ${record.pid}`)
    : bad(
        'hub',
        'warning',
        `it left a record (pid ${record.pid}) and does not answer`,
        'Start it again: signalbox hub',
      );
}

const checkGuardian = (): DoctorCheck =>
  existsSync(GUARDIAN_FILE)
    ? ok('guardian', 'found')
    : bad(
        'guardian',
        'problem',
        `${GUARDIAN_FILE} is missing`,
        'Install Signalbox again, or build it: npm run build',
      );

/** All checks, in the order in which a person would mend things. */
export async function runDoctor(host: DoctorHost): Promise<readonly DoctorCheck[]> {
  const { clock } = host;
  const hubId = createRandomIds(clock).next('hub');
  const spawner = createSpawner({ hub: hubId, table: createProcessTable({ clock }), guardian: null, clock });
  const [claude, git, dataFolder, store, config, hub, sandbox, notifications, browser] = await Promise.all([
    checkClaude(host, spawner, hubId),
    checkGit(host, spawner, hubId),
    checkDataFolder(host),
    checkStore(host),
    checkConfig(host),
    checkHub(host),
    checkSandbox(host, spawner, hubId),
    checkNotifications(host),
    checkBrowser(host, spawner, hubId),
  ]);
  return [
    ok('Node', process.version),
    ...checkPath(host),
    ...claude,
    git,
    dataFolder,
    checkDisk(host),
    store,
    config,
    sandbox,
    checkGuardian(),
    notifications,
    browser,
    hub,
  ];
}
