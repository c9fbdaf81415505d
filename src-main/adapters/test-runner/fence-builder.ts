import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CommandRequest } from '../../core/ports/commands.ts';
import type { Log } from '../../core/ports/world.ts';
import type { Spawner } from '../process/spawn-owned.ts';
import { millis } from '../../../src-shared/time.ts';
import { shellWord } from '../../../src-shared/shell-word.ts';
import type { AccountGrants } from './account-grants.ts';
import type { Account, Accounts } from './accounts.ts';
import type { ConfinementProbe } from './confinement.ts';
import {
  findExecutable,
  findInside,
  isSameProgram,
  isShellWord,
  missingForStub,
  suggestRead,
} from './executable.ts';
import { commandWords, invocation, refused } from './run-plan.ts';
import type { Fence, Refusal } from './run-plan.ts';
import { findSandboxFacts } from './sandbox-facts.ts';
import { isWithin, planSandbox } from './sandbox-plan.ts';

export interface FenceBuilder {
  build(
    request: CommandRequest,
    environment: Readonly<Record<string, string>>,
  ): Promise<{ readonly kind: 'fence'; readonly fence: Fence } | Refusal>;
  /** Null when the command's program is the same inside the fence as outside. */
  checkExecutable(
    request: CommandRequest,
    fence: Fence,
    environment: Readonly<Record<string, string>>,
  ): Promise<Refusal | null>;
  dispose(fence: Fence): Promise<void>;
  revokeLeftover(tree: string, account: Account, grants: AccountGrants): Promise<void>;
}

const SETTING = { test: 'testCommand', setup: 'setupCommand' } as const;
const CHECK_TIMEOUT = millis(20_000);
/** HOME of an account inside a sandbox, whose /tmp is its own. */
const SANDBOX_HOME = '/tmp/signalbox-home';

/** The hint about a program that the person's checkout has and the worktree has not; null for every other. */
function onlyInCheckout({ checkout, project, tree }: CommandRequest, name: string): string | null {
  if (checkout === undefined || !name.includes('/') || path.isAbsolute(name)) return null;
  const place = path.normalize(name);
  if (place.startsWith('..') || !existsSync(path.join(checkout.root, place))) return null;
  const parts = place.split(path.sep);
  const missing = parts
    .map((_part, index) => parts.slice(0, index + 1).join('/'))
    .find((each) => !existsSync(path.join(tree, each)));
  if (missing === undefined) return null;
  const share = JSON.stringify([...new Set([...checkout.share, missing])]);
  return `${missing} is in your checkout, but not in the worktree. If git ignores it, have it copied: signalbox project set ${shellWord(project)} share=${shellWord(share)}; else commit it.`;
}

/** Chooses the fence of a run and proves that the command's program is reachable in it. */
export function createFenceBuilder(parts: {
  readonly spawner: Spawner;
  readonly log: Log;
  readonly inheritedEnv: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly accountHome?: string | null;
  readonly dataFolder: string;
  readonly accounts: Accounts;
  readonly probe: ConfinementProbe;
}): FenceBuilder {
  const { spawner, log, accounts, probe, homeFolder } = parts;
  const homes = [homeFolder, parts.accountHome ?? homeFolder];
  /** The home that a program lies below; the person's HOME for one that lies elsewhere. */
  const homeOf = async (executable: string): Promise<string> => {
    const real = await Promise.all(homes.map((home) => realpath(home).catch(() => home)));
    return real.find((home) => isWithin(home, executable)) ?? real[0] ?? homeFolder;
  };
  /** As a person writes it in `sandbox_read`. */
  const asRead = async (folder: string): Promise<string> => {
    const home = await realpath(homeFolder).catch(() => homeFolder);
    return folder !== home && isWithin(home, folder) ? `~/${path.relative(home, folder)}` : folder;
  };

  /** An empty folder for HOME or TMPDIR; an account makes its own, so that it is the owner. */
  const makeScratch = async (account: Account | null): Promise<string | null> => {
    if (account === null) return realpath(await mkdtemp(path.join(os.tmpdir(), 'signalbox-run-')));
    const made = await accounts.toolAs(account, 'mktemp', ['-d', '/tmp/signalbox-home-XXXXXXXX']);
    const folder = made.stdout.trim();
    return made.ok && path.isAbsolute(folder) ? folder : null;
  };

  return {
    async build(request, environment) {
      let account: Account | null = null;
      if (request.account !== null) {
        const problem = await accounts.check(request.account);
        account = await accounts.find(request.account);
        if (problem !== null || account === null) {
          return refused(
            'account-unusable',
            problem ?? `There is no account "${request.account}".`,
            `Mend it, or name another one: signalbox project set ${shellWord(request.project)} runTestsAs=…`,
          );
        }
      }
      // Without root the account's right is not asked: sudo may allow the commands but no probe of ours.
      const state = await probe.look(account !== null && accounts.isRoot ? account : undefined);
      if (state.kind === 'none' && account === null && !request.allowUnconfined) {
        return refused(
          'sandbox-unavailable',
          state.problem ?? 'There is no sandbox on this machine.',
          `Or allow tests without one: signalbox project set ${shellWord(request.project)} allowUnconfinedTests=true`,
        );
      }
      const sandbox = state.kind === 'bubblewrap' || state.kind === 'sandbox-exec' ? state.kind : null;
      const plan = planSandbox(
        findSandboxFacts({
          tree: request.tree,
          inheritedEnv: parts.inheritedEnv,
          commandPath: environment['PATH'] ?? '',
          homeFolder,
          accountHome: parts.accountHome ?? null,
          dataFolder: parts.dataFolder,
          sandboxRead: request.sandboxRead,
          allowNetwork: request.allowNetwork,
        }),
      );
      const needsScratch = sandbox === 'sandbox-exec' || (account !== null && sandbox !== 'bubblewrap');
      const scratch = needsScratch ? await makeScratch(account) : account !== null ? SANDBOX_HOME : null;
      if (needsScratch && scratch === null) {
        return refused(
          'account-unusable',
          'No empty HOME could be made for the account.',
          'Is /tmp writable for it?',
        );
      }
      if (account !== null && sandbox === null) {
        log.info('tests run under an account without a sandbox', { problem: state.problem ?? '' });
      }
      const confinement = account !== null ? 'account' : (sandbox ?? 'none');
      return { kind: 'fence', fence: { confinement, sandbox, plan, account, scratch } };
    },

    async checkExecutable(request, fence, environment) {
      const [name = ''] = commandWords(request);
      const outside = await findExecutable(name, fence.plan.tree, environment['PATH'] ?? '');
      if (outside === null) {
        return refused(
          'executable-not-found',
          `The program "${name}" is not on PATH or not executable.`,
          onlyInCheckout(request, name) ??
            (isShellWord(name)
              ? `It is a word of the shell. Let a shell run the command: signalbox project set ${shellWord(request.project)} shell=true ${SETTING[request.purpose]}='["…"]'`
              : `Install it, or change the command: signalbox project set ${shellWord(request.project)} ${SETTING[request.purpose]}='["…"]'`),
        );
      }
      if (fence.sandbox === null && fence.account === null) return null;
      const { input, ...what } = invocation(
        fence,
        findInside(name),
        environment,
        accounts.isRoot,
        request.ownerMark,
      );
      const found = await spawner.run({
        ...what,
        ...(input === null ? {} : { input }),
        cwd: fence.account !== null && !accounts.isRoot ? '/' : fence.plan.tree,
        mark: request.ownerMark,
        timeout: CHECK_TIMEOUT,
        maxBytes: 64 * 1024,
      });
      if (found.kind === 'not-started') {
        return refused('sandbox-unavailable', found.message, 'See `signalbox doctor`.');
      }
      const stderr = found.stderr.toString('utf8').trim();
      if (fence.sandbox === 'bubblewrap' && found.exitCode === 1 && stderr.startsWith('bwrap: ')) {
        return refused(
          'sandbox-unavailable',
          `The sandbox could not be made: ${stderr}`,
          'See `signalbox doctor`.',
        );
      }
      const isSame = found.exitCode === 0 && isSameProgram(outside, found.stdout.toString('utf8'));
      const isReadable = (folder: string): boolean =>
        !fence.plan.empty.some((empty) => isWithin(empty, folder)) ||
        fence.plan.reads.some((read) => isWithin(read, folder));
      const home = await homeOf(outside);
      const missing = isSame && fence.sandbox !== null ? missingForStub(outside, home, isReadable) : null;
      if (isSame && missing === null) return null;
      const read = await asRead(missing ?? suggestRead(outside, home));
      const where = fence.account === null ? 'in the sandbox' : `for the account "${fence.account.name}"`;
      return refused(
        'executable-differs',
        `"${name}" is ${outside} outside, but ${isSame ? 'cannot work' : 'not the same program'} ${where}.`,
        fence.sandbox === null
          ? 'Name a program that this account may execute.'
          : `Make it readable there: signalbox project set ${shellWord(request.project)} sandboxRead='${JSON.stringify([...new Set([...request.sandboxRead, read])])}'`,
      );
    },

    async dispose({ scratch, account, sandbox }) {
      if (scratch === null || sandbox === 'bubblewrap') return;
      if (account === null) await rm(scratch, { recursive: true, force: true });
      else await accounts.toolAs(account, 'rm', ['-rf', '--', scratch]);
    },

    async revokeLeftover(tree, account, grants) {
      if (!existsSync(tree)) return;
      await grants.revoke(await realpath(tree), account);
    },
  };
}
