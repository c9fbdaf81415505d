import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** Where the window under test is built: a build for use is left alone. Two runs at a time need two folders. */
export const WINDOW_FOLDER = path.resolve(root, process.env['SIGNALBOX_E2E_WINDOW'] ?? '.cache/e2e-window');

/** Builds the window once for all specs. */
// eslint-disable-next-line no-restricted-syntax -- Playwright reads the default export.
export default function buildWindow(): void {
  execFileSync(
    process.execPath,
    [path.join(root, 'build/build-window.mjs'), '--quiet', '--out', WINDOW_FOLDER],
    { stdio: 'inherit' },
  );
}
