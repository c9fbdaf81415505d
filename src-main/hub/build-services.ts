/** The composition root of every host: each adapter is made here, and nowhere else. */
import { randomBytes } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { millis } from '../../src-shared/time.ts';
import { createArtifactFiles } from '../adapters/artifact-files.ts';
import { createClaudeExecutor } from '../adapters/claude-code/executor.ts';
import { readConfig } from '../adapters/config-file.ts';
import { csvRow } from '../adapters/csv/csv-row.ts';
import type { DataFolder } from '../adapters/data-folder.ts';
import { createDiskSpace } from '../adapters/disk-space.ts';
import { createFileLog } from '../adapters/file-log.ts';
import { createGit } from '../adapters/git/git-command.ts';
import { createWorkspaces } from '../adapters/git/workspaces.ts';
import { createKillFile, KILL_FILE_NAME } from '../adapters/kill-file.ts';
import { createMachine } from '../adapters/machine/machine.ts';
import { createGuardian, type HubGuardian } from '../adapters/process/guardian.ts';
import { createProcessTable, type ProcessTable } from '../adapters/process/process-table.ts';
import { createSpawner } from '../adapters/process/spawn-owned.ts';
import { createRandomIds } from '../adapters/random-ids.ts';
import { sha256 } from '../adapters/sha256.ts';
import { createLeftoverFiles } from '../adapters/leftover-files.ts';
import { accountHome } from '../adapters/test-runner/account-home.ts';
import { createCommandRunner } from '../adapters/test-runner/command-runner.ts';
import type { ApiServices, HubFacts } from '../api/context.ts';
import { createEventFeed } from '../api/event-feed.ts';
import { createCore } from '../core/create-core.ts';
import type { CoreDeps } from '../core/ports/deps.ts';
import type { Clock, Log } from '../core/ports/world.ts';
import type { Engine } from '../core/services.ts';
import { openStore } from '../store/open-store.ts';
import { createNoticeTests } from '../core/notify/notice-tests.ts';
import { startScriptedAgent } from './scripted-agent.ts';
import { VERSION } from './version.ts';
import { brokenEntry, CHAIN_PATIENCE } from './watch-chain.ts';
import { whyNone } from './wants-notifications.ts';

/** Loaded when it is asked for, or by `loadParts`. */
export const loadDoctor = () => import('./doctor.ts');

export interface BuildOptions {
  /** Made and found usable; this process holds its lock. */
  readonly folder: DataFolder;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Null for a command that acts without a hub: it launches, cleans and merges nothing. */
  readonly hub: HubFacts | null;
  /** What is started as a Node of its own; absent where the Node that runs and the package's files are the ones. */
  readonly node?: { readonly executable: string; readonly guardian: string };
  /** Looks at what is stored and changes nothing, on a disk that takes nothing. */
  readonly isReadonly?: boolean;
}

export interface Built {
  readonly services: ApiServices;
  readonly deps: CoreDeps;
  readonly engine: Engine;
  readonly processes: ProcessTable;
  /** Removes half-written files that a kill left among the artifacts. */
  sweep(): Promise<void>;
  dispose(): Promise<void>;
}

export const logOf = (folder: DataFolder, clock: Clock): Log =>
  createFileLog({ file: path.join(folder.data, 'logs', 'signalbox.log'), clock });

export async function buildServices(options: BuildOptions): Promise<Built> {
  const { folder, env, clock, hub } = options;
  const config = await readConfig(folder.config);
  const ids = createRandomIds(clock);
  const log = logOf(folder, clock);
  const stores = openStore({ folder: folder.data, clock, ids, readonly: options.isReadonly === true });
  try {
    const { hubId } = stores;
    const { node } = options;
    const guardian: HubGuardian = createGuardian({
      hub: hubId,
      dataFolder: folder.data,
      clock,
      ...(node === undefined ? {} : { file: node.guardian, executable: node.executable }),
    });
    const processes = createProcessTable({
      clock,
      spare: () => (guardian.pid === null ? [] : [guardian.pid]),
    });
    const killFile = createKillFile(folder.data, clock);
    const spawner = createSpawner({
      hub: hubId,
      table: processes,
      guardian: hub === null ? null : guardian,
      clock,
      isKilled: () => killFile.read() !== null,
    });
    const artifacts = createArtifactFiles(path.join(folder.data, 'artifacts'));
    const feed = createEventFeed(clock.now());
    const homeFolder = os.homedir();
    const deps: CoreDeps = {
      stores,
      clock,
      ids,
      hash: sha256,
      log,
      processes,
      guardian,
      killFile,
      artifacts,
      disk: createDiskSpace(folder.data),
      executor: createClaudeExecutor({
        spawner,
        processes,
        clock,
        log,
        hubId,
        inheritedEnv: env,
        homeFolder,
        ...(node === undefined ? {} : { nodePath: node.executable }),
        ...(config.claude === undefined || env['SIGNALBOX_CLAUDE'] !== undefined
          ? {}
          : { claudeCommand: config.claude }),
      }),
      commands: createCommandRunner({
        spawner,
        artifacts,
        clock,
        log,
        hubId,
        dataFolder: folder.data,
        inheritedEnv: env,
        homeFolder,
        accountHome: accountHome(),
      }),
      workspaces: createWorkspaces({
        stores,
        spawner,
        clock,
        ids,
        hash: sha256,
        log,
        dataFolder: folder.data,
        inheritedEnv: env,
        homeFolder,
      }),
      leftovers: createLeftoverFiles(path.join(folder.data, 'leftovers')),
      feed,
      isHub: hub !== null,
    };
    const chainInHub = (): Promise<number | null> => {
      const until = clock.monotonic() + CHAIN_PATIENCE;
      return brokenEntry(stores.ledger, () => clock.monotonic() >= until);
    };
    const { core, engine } = createCore(deps, {
      undo: millis(config.undoSeconds * 1000),
      maxProcesses: config.maxProcesses,
    });
    return {
      services: {
        core,
        stores,
        artifacts,
        feed,
        clock,
        log,
        version: VERSION,
        csvRow,
        killFile,
        machine: createMachine({
          places: {
            dataFolder: folder.data,
            configFolder: folder.config,
            killFile: path.join(folder.data, KILL_FILE_NAME),
          },
          git: createGit({ spawner, hub: hubId, inheritedEnv: env }),
          env,
          homeFolder,
          doctor: async () => (await loadDoctor()).runDoctor({ folder, env, clock, chainInHub }),
        }),
        notices: {
          tests: createNoticeTests({
            clock,
            newKey: () => randomBytes(16).toString('hex'),
            noneBecause: () => (hub?.host === 'desktop' ? null : whyNone(env)) ?? 'nobody',
          }),
          startAgent: () =>
            startScriptedAgent({
              spawner,
              processes,
              clock,
              log,
              ids,
              hubId,
              env,
              ...(node === undefined ? {} : { node }),
            }),
        },
        hub,
        backup: () => Promise.resolve(stores.backup()),
      },
      deps,
      engine,
      processes,
      sweep: () => artifacts.sweep(clock.now()),
      dispose: async () => {
        await guardian.stop();
        stores.dispose();
      },
    };
  } catch (error) {
    stores.dispose();
    throw error;
  }
}
