import { readFileSync, readdirSync } from 'node:fs';
import type { Clock, Log } from '../../core/ports/world.ts';
import type { Finished, Spawner } from '../process/spawn-owned.ts';
import { millis } from '../../../src-shared/time.ts';

/** An operating-system account as getpwnam(3) knows it. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

export interface AccountParts {
  readonly spawner: Spawner;
  readonly clock: Clock;
  readonly log: Log;
  /** Environment of the system's own tools (`toolEnvironment`). */
  readonly toolEnv: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** Owner mark of processes that belong to no run. */
  readonly mark: string;
  /** The person who became root by sudo to start the hub; null when it was not so. */
  readonly sudoUser: string | null;
  /** Effective user and group of the hub. */
  readonly self: { readonly uid: number; readonly gid: number };
}

export interface ToolResult {
  /** Started and ended with exit code 0. */
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** What can be done with the agent account, by setuid as root, else by `sudo -n -u`. */
export interface Accounts {
  readonly isRoot: boolean;
  find(name: string): Promise<Account | null>;
  check(name: string): Promise<string | null>;
  reap(name: string): Promise<boolean>;
  /** Runs one of the system's tools as the hub itself. */
  tool(file: string, args: readonly string[]): Promise<ToolResult>;
  /** Runs a tool as the account. */
  toolAs(account: Account, file: string, args: readonly string[]): Promise<ToolResult>;
}

/** It becomes an argument of sudo, id and setfacl: a leading dash or a colon would mean something there. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,255}\$?$/;
const TOOL_TIMEOUT = millis(60_000);
const REAP_ROUNDS = 20;

export function createAccounts(parts: AccountParts): Accounts {
  const { spawner, clock, log, platform, self } = parts;
  const isRoot = self.uid === 0;
  const common = {
    cwd: '/',
    env: parts.toolEnv,
    mark: parts.mark,
    timeout: TOOL_TIMEOUT,
    maxBytes: 4 * 1024 * 1024,
  };

  const result = (finished: Finished): ToolResult =>
    finished.kind === 'not-started'
      ? { ok: false, stdout: '', stderr: finished.message }
      : {
          ok: finished.kind === 'exited' && finished.exitCode === 0,
          stdout: finished.stdout.toString('utf8'),
          stderr: finished.stderr.toString('utf8'),
        };
  const tool = async (file: string, args: readonly string[]): Promise<ToolResult> =>
    result(await spawner.run({ ...common, file, args }));
  const toolAs = async (account: Account, file: string, args: readonly string[]): Promise<ToolResult> =>
    isRoot
      ? result(await spawner.run({ ...common, file, args, uid: account.uid, gid: account.gid }))
      : tool('sudo', ['-n', '-u', account.name, '--', file, ...args]);

  const find = async (name: string): Promise<Account | null> => {
    if (!NAME.test(name)) return null;
    const [uid, gid] = await Promise.all([tool('id', ['-u', name]), tool('id', ['-g', name])]);
    const ids = [uid, gid]
      .map((one) => (one.ok ? /^(\d+)\n?$/.exec(one.stdout)?.[1] : undefined))
      .map(Number);
    const [uidNumber = NaN, gidNumber = NaN] = ids;
    return Number.isSafeInteger(uidNumber) && Number.isSafeInteger(gidNumber)
      ? { name, uid: uidNumber, gid: gidNumber }
      : null;
  };

  const living = async (uid: number): Promise<number> => {
    if (platform === 'linux') return countLinuxProcesses(uid);
    const listed = await tool('ps', ['-A', '-o', 'uid=,state=']);
    if (!listed.ok) throw new Error(`ps failed: ${listed.stderr}`);
    return listed.stdout.split('\n').filter((line) => {
      const [owner, state = ''] = line.trim().split(/\s+/);
      return owner === String(uid) && !state.startsWith('Z');
    }).length;
  };

  return {
    isRoot,
    find,
    tool,
    toolAs,

    async check(name) {
      if (platform !== 'linux' && platform !== 'darwin') {
        return 'Tests under another account are not supported on this system: clear runTestsAs.';
      }
      const account = await find(name);
      if (account === null) {
        return `There is no account "${name}" on this machine. Make a dedicated one, e.g. \`useradd --system ${NAME.test(name) ? name : 'signalbox-agent'}\`.`;
      }
      if (account.uid === 0) return `"${name}" is root. Name a dedicated account without rights.`;
      if (account.uid === self.uid) {
        return `"${name}" is the account that Signalbox itself runs as. Name another, dedicated one: ending its processes would end yours.`;
      }
      if (parts.sudoUser === name) return `"${name}" is your own account. Name a dedicated one.`;
      const acl = await tool('setfacl', ['--version']);
      if (platform === 'linux' && !acl.ok) {
        return 'setfacl is missing, with which a tree is opened for the account: install the package acl.';
      }
      if (isRoot) return null;
      // -l only asks whether the rule allows it.
      for (const command of [
        ['kill', '-KILL', '-1'],
        ['sh', '-s'],
      ]) {
        const allowed = await tool('sudo', ['-n', '-l', '-u', name, ...command]);
        if (!allowed.ok) {
          return `sudo does not let you run \`${command.join(' ')}\` as "${name}" without a password, so its processes could not be ended. Allow it in sudoers: \`YOU ALL=(${name}) NOPASSWD: ALL\`.`;
        }
      }
      return null;
    },

    async reap(name) {
      const account = await find(name);
      if (account === null || account.uid === 0 || account.uid === self.uid) return false;
      for (let round = 0; round < REAP_ROUNDS; round += 1) {
        if ((await living(account.uid)) === 0) return true;
        // To every process of the account but the sender: it cannot be outrun by forking (kill(2)).
        await toolAs(account, 'kill', ['-KILL', '-1']);
        if (round > 0) await new Promise<void>((resolve) => void clock.after(millis(50), resolve));
      }
      const isGone = (await living(account.uid)) === 0;
      if (!isGone) log.error('processes of the agent account live on', { account: name });
      return isGone;
    },
  };
}

/** Living processes with this real, effective or saved user, by `/proc/<pid>/status` (proc(5)). */
function countLinuxProcesses(uid: number): number {
  let count = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    let status: string;
    try {
      status = readFileSync(`/proc/${pid}/status`, 'latin1');
    } catch {
      continue;
    }
    const uids = /^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m.exec(status)?.slice(1).map(Number) ?? [];
    if (uids.includes(uid) && !/^State:\s+[ZX]/m.test(status)) count += 1;
  }
  return count;
}
