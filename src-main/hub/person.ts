import os from 'node:os';

/** The account's name: who acts. A container may have a uid without one. */
export function personName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
