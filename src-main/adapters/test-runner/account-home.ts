import os from 'node:os';

/**
 * Home of the account that this process runs as, by the system's list of accounts. HOME may be another one: sudo
 * without -H leaves the caller's, and both hold what a test must not read.
 *
 * @returns null for an account that is in no list, as in some containers
 */
export function accountHome(): string | null {
  try {
    return os.userInfo().homedir;
  } catch {
    return null;
  }
}
