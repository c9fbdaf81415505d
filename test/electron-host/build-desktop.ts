import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds the command line, the window and the application before suites that start them. */
export function setup(): void {
  for (const script of ['build-cli', 'build-window', 'build-electron']) {
    execFileSync(process.execPath, [path.resolve(`build/${script}.mjs`), '--quiet'], { stdio: 'inherit' });
  }
}
