import { lstatSync, statSync } from 'node:fs';
import { chmod, lchown, lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../../core/ports/world.ts';
import { AppError } from '../../../src-shared/errors.ts';
import type { Account, Accounts } from './accounts.ts';

export interface AccountGrants {
  /**
   * Opens the tree for the account, and the folders above it to pass through only.
   * @throws AppError 'account-unusable' when it cannot be opened; what was done is undone
   */
  grant(tree: string, account: Account): Promise<void>;
  /** Takes back ownership and grants; may be repeated, and after a crash. The account must have been reaped. */
  revoke(tree: string, account: Account): Promise<void>;
}

/**
 * Access of the agent account to one tree for the time of a run, as POSIX ACLs (12-engine, Test runs). What the
 * account makes is open to the hub by a default ACL, and its ownership is taken back when the grant ends.
 */
export function createAccountGrants(parts: {
  readonly accounts: Accounts;
  readonly self: { readonly uid: number; readonly gid: number };
  readonly log: Log;
}): AccountGrants {
  const { accounts, self, log } = parts;

  /** Folders above the tree that not everybody may pass through, outer ones first. */
  const closedParents = (tree: string): readonly string[] => {
    const parents: string[] = [];
    for (let at = path.dirname(tree); ; at = path.dirname(at)) {
      if ((statSync(at).mode & 0o001) === 0) parents.unshift(at);
      if (path.dirname(at) === at) return parents;
    }
  };

  const setfacl = async (args: readonly string[]): Promise<void> => {
    const done = await accounts.tool('setfacl', args);
    if (!done.ok) {
      throw new AppError('account-unusable', `setfacl failed: ${done.stderr.trim().slice(0, 500)}`, {
        hint: 'The file system must support ACLs, and the package acl must be installed.',
      });
    }
  };

  /** Makes what the account owns ours, as root: after the reaping nobody can swap a path under us. */
  const chownAll = async (at: string, uid: number): Promise<void> => {
    const stat = await lstat(at);
    if (stat.isDirectory()) {
      for (const name of await readdir(at)) await chownAll(path.join(at, name), uid);
    }
    if (stat.uid !== uid) return;
    // Never a set-uid file of root's from a file of the account's.
    if (!stat.isSymbolicLink()) await chmod(at, stat.mode & 0o1777);
    await lchown(at, self.uid, self.gid);
  };

  /** Outermost paths below `at` that the account owns. */
  const ownedBy = async (at: string, uid: number, found: string[] = []): Promise<readonly string[]> => {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const target = path.join(at, entry.name);
      if (lstatSync(target).uid === uid) found.push(target);
      else if (entry.isDirectory()) await ownedBy(target, uid, found);
    }
    return found;
  };

  /**
   * Without root nobody gives a file away: the account opens what it made, we copy it, and the account removes
   * its own. A kill in between leaves the original or the copy beside it, which the next call replaces.
   */
  const copyAll = async (tree: string, account: Account): Promise<void> => {
    for (const target of await ownedBy(tree, account.uid)) {
      // A sticky folder of the account's, or one that it closed, is opened first; links are not followed.
      await accounts.toolAs(account, 'find', [
        ...['-P', target, '-xdev', '-user', account.name, '!', '-type', 'l'],
        ...['-exec', 'chmod', 'u+rwX,g+rwX,u-s,g-s,-t', '--', '{}', '+'],
      ]);
      const copy = path.join(path.dirname(target), `.signalbox-own-${path.basename(target)}`.slice(0, 255));
      await accounts.tool('rm', ['-rf', '--', copy]);
      const copied = await accounts.tool('cp', [
        '-R',
        '-P',
        '--preserve=mode,timestamps',
        '--',
        target,
        copy,
      ]);
      const removed = await accounts.toolAs(account, 'rm', ['-rf', '--', target]);
      if (copied.ok && removed.ok) await accounts.tool('mv', ['-T', '--', copy, target]);
      else
        log.warn('what the agent account made could not be taken over', {
          stderr: copied.stderr + removed.stderr,
        });
    }
  };

  /** Only where the account is named, so that ACLs of the person's stay as they are. */
  const closeParents = async (tree: string, account: Account): Promise<void> => {
    for (const parent of closedParents(tree)) {
      const listed = await accounts.tool('getfacl', ['-c', '-n', '-p', '--', parent]);
      if (!listed.stdout.split('\n').some((line) => line.startsWith(`user:${account.uid}:`))) continue;
      await setfacl(['-x', `u:${account.uid}`, '--', parent]);
      // The mask that the grant had needed; it is refused while another entry needs it.
      await accounts.tool('setfacl', ['-x', 'm::', '--', parent]);
    }
  };

  const revoke = async (tree: string, account: Account): Promise<void> => {
    try {
      if (accounts.isRoot) await chownAll(tree, account.uid);
      else await copyAll(tree, account);
      await setfacl(['-R', '-P', '-b', '-k', '--', tree]);
    } finally {
      await closeParents(tree, account);
    }
  };

  return {
    revoke,
    grant: async (tree, account) => {
      try {
        for (const parent of closedParents(tree)) await setfacl(['-m', `u:${account.uid}:--x`, '--', parent]);
        const both = [`u:${account.uid}:rwX`, `d:u:${account.uid}:rwX`, `d:u:${self.uid}:rwX`].join(',');
        await setfacl(['-R', '-P', '-m', both, '--', tree]);
        const pointer = path.join(tree, '.git');
        if (lstatSync(pointer, { throwIfNoEntry: false })?.isFile() === true) {
          await setfacl(['-m', `u:${account.uid}:r--`, '--', pointer]);
        }
      } catch (error) {
        await revoke(tree, account).catch((cause: unknown) => {
          log.error('a grant could not be undone', { error: String(cause) });
        });
        throw error;
      }
    },
  };
}
