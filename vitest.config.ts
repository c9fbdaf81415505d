import { defineConfig } from 'vitest/config';

const define = { __SIGNALBOX_VERSION__: JSON.stringify('0.0.0-test') };

export default defineConfig({
  define,
  test: {
    projects: [
      { define, test: { name: 'unit', include: ['test/unit/**/*.test.ts', 'test/pins/**/*.test.ts'] } },
      {
        define,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/build-once.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        define,
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          globalSetup: ['test/support/build-once.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      {
        define,
        test: {
          name: 'torture',
          include: ['test/torture/**/*.test.ts'],
          globalSetup: ['test/support/build-once.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        define,
        test: {
          name: 'notifications',
          include: ['test/notifications/**/*.test.ts'],
          globalSetup: ['test/electron-host/build-desktop.ts'],
          testTimeout: 60_000,
          // One session bus, on which one program serves at a time.
          fileParallelism: false,
        },
      },
      {
        define,
        test: {
          name: 'electron',
          include: ['test/e2e/electron/**/*.test.ts'],
          globalSetup: ['test/electron-host/build-desktop.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
      {
        define,
        test: {
          name: 'packaging',
          include: ['test/packaging/**/*.test.ts'],
          globalSetup: ['test/electron-host/build-desktop.ts'],
          testTimeout: 90_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
