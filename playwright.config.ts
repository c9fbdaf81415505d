import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const CHROMIUM = process.env['SIGNALBOX_CHROMIUM'] ?? '/usr/bin/chromium';

/** What 70-desktop calls for in Chromium: no sandbox in a container, no calls of its own to anywhere. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// The window in real Chromium. No retries: a test that fails sometimes is a finding.
// eslint-disable-next-line no-restricted-syntax -- Playwright reads the default export.
export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '*.spec.ts',
  globalSetup: './test/e2e/support/build-window.ts',
  outputDir: '.cache/e2e-results',
  retries: 0,
  // Every test has a hub and a folder of its own.
  workers: 2,
  timeout: 30_000,
  expect: { timeout: 5000 },
  reporter: process.env['CI'] === undefined ? 'line' : 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 820 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Debian's, else Playwright's own.
      ...(existsSync(CHROMIUM) ? { executablePath: CHROMIUM } : {}),
      args: CHROMIUM_ARGS,
    },
  },
});
