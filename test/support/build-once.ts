import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Builds the command line before suites that start it as a program. */
export function setup(): void {
  execFileSync(process.execPath, [path.resolve('build/build-cli.mjs'), '--quiet'], { stdio: 'inherit' });
}
