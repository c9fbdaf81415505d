/** The packaging for Linux with a stub in the place of Electron's programs: everything but those is real. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packagedNode } from '../../src-main/hosts/electron/packaged-node.ts';
import { DesktopWorld } from '../e2e/electron/desktop-world.ts';
import { writeStubElectron } from './stub-electron.ts';

interface Asar {
  listPackage(archive: string, options: { isPack: boolean }): string[];
  extractAll(archive: string, to: string): void;
  extractFile(archive: string, file: string): Buffer;
}
const root = path.resolve(import.meta.dirname, '../..');
const asar = createRequire(import.meta.url)('@electron/asar') as Asar;
const MEGABYTE = 1024 * 1024;

let scratch = '';
let packed = '';
let archive = '';
let files: readonly string[] = [];

beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'signalbox-package-'));
  writeStubElectron(path.join(scratch, 'electron'), '45.5.0');
  const run = (...args: readonly string[]): void => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args[0]} failed\n${stdout}${stderr}`);
  };
  run('build/write-notices.mjs');
  run(
    'node_modules/electron-builder/out/cli/cli.js',
    ...['--config', 'electron-builder.yml', '--publish', 'never', '--dir', '--linux', `--${process.arch}`],
    `-c.electronDist=${path.join(scratch, 'electron')}`,
    `-c.directories.output=${path.join(scratch, 'release')}`,
  );
  const [folder] = readdirSync(path.join(scratch, 'release')).filter((name) => name.endsWith('unpacked'));
  packed = path.join(scratch, 'release', folder ?? '');
  archive = path.join(packed, 'resources/app.asar');
  files = asar.listPackage(archive, { isPack: false }).map((file) => file.slice(1).replaceAll('\\', '/'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const below = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

describe.runIf(process.platform === 'linux')('the packaged application', () => {
  test('holds the built application and nothing of the project beside it', () => {
    const places = new Set(files.map((file) => file.split('/').slice(0, 2).join('/')));
    const own = [...places].filter((place) => !place.startsWith('node_modules/'));
    expect(own.sort()).toEqual([
      'LICENSE',
      'node_modules',
      'out',
      'out/THIRD-PARTY-NOTICES.txt',
      'out/cli',
      'out/icons',
      'out/main',
      'out/preload',
      'out/renderer',
      'package.json',
    ]);
    expect(files).toEqual(
      expect.arrayContaining([
        'out/main/main.js',
        'out/main/hub-entry.js',
        'out/preload/preload.cjs',
        'out/renderer/index.html',
        'out/cli/guardian.js',
        'out/cli/scripted-claude.js',
      ]),
    );
  });

  test('has no sources, tests, maps, types or demo', () => {
    expect(files.filter((file) => /\.(map|tsx?|md)$|(^|\/)tests?(\/|$)|demo/.test(file))).toEqual([]);
  });

  test('has only the packages that are not bundled, and native code of this system alone', () => {
    const packages = new Set(
      files.flatMap((file) => /^node_modules\/([^/]+)/.exec(file)?.slice(1) ?? []).sort(),
    );
    expect([...packages]).toEqual([
      'better-sqlite3',
      'growly',
      'is-docker',
      'is-wsl',
      'isexe',
      'node-notifier',
      'semver',
      'shellwords',
      'uuid',
      'which',
    ]);
    const native = files.filter((file) => /\.(node|exe|dll)$|terminal-notifier/.test(file));
    expect(native.length).toBeGreaterThan(0);
    expect(native.filter((file) => !/prebuilds\/linux-\w+\.node$/.test(file))).toEqual([]);
  });

  test('its package.json starts the application and names its desktop entry', () => {
    const own: unknown = JSON.parse(asar.extractFile(archive, 'package.json').toString('utf8'));
    expect(own).toMatchObject({
      main: 'out/main/main.js',
      type: 'module',
      desktopName: 'dev.signalbox.Signalbox.desktop',
    });
    expect(own).not.toHaveProperty('devDependencies');
    expect(own).not.toHaveProperty('scripts');
  });

  test('stays small: the archive below 16 MB, all else but Node below 24 MB', () => {
    const unpacked = path.join(packed, 'resources/app.asar.unpacked');
    const node = statSync(path.join(unpacked, 'node_modules/node/bin/node')).size;
    expect(statSync(archive).size).toBeLessThan(16 * MEGABYTE);
    expect(below(unpacked) - node).toBeLessThan(24 * MEGABYTE);
    expect(node).toBeLessThan(160 * MEGABYTE);
  });

  test('has every fuse as it should be', async () => {
    const wire = (await getCurrentFuseWire(path.join(packed, 'signalbox'))) as unknown as Record<
      number,
      number
    >;
    const isOn = (fuse: FuseV1Options): boolean => wire[fuse] === '1'.charCodeAt(0);
    expect({
      runAsNode: isOn(FuseV1Options.RunAsNode),
      cookies: isOn(FuseV1Options.EnableCookieEncryption),
      nodeOptions: isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
      inspect: isOn(FuseV1Options.EnableNodeCliInspectArguments),
      integrity: isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
      onlyAsar: isOn(FuseV1Options.OnlyLoadAppFromAsar),
      fileProtocol: isOn(FuseV1Options.GrantFileProtocolExtraPrivileges),
    }).toEqual({
      runAsNode: false,
      cookies: true,
      nodeOptions: false,
      inspect: false,
      integrity: true,
      onlyAsar: true,
      fileProtocol: false,
    });
  });

  test('the guardian runs on the Node beside the archive, where the hub looks for both', async () => {
    const place = packagedNode('45.5.0', archive, 'linux');
    if (place === null) throw new Error('There is no Node beside the archive.');
    const guardian = spawn(place.executable, [place.guardian], { env: {}, stdio: 'pipe' });
    guardian.stderr.setEncoding('utf8');
    const errors: string[] = [];
    guardian.stderr.on('data', (text: string) => errors.push(text));
    const hello = { kind: 'hello', hub: 'hub', hubPid: process.pid, dataFolder: scratch };
    guardian.stdin.write(`${JSON.stringify(hello)}\n`);
    const [first] = (await once(guardian.stdout, 'data')) as [Buffer];
    const ended = once(guardian, 'exit');
    guardian.stdin.end(`${JSON.stringify({ kind: 'bye' })}\n`);
    await ended;
    expect([first.toString('utf8'), errors.join('')]).toEqual(['ready\n', '']);
  });

  test('the scripted agent that times a notification runs beside the guardian, on that Node', () => {
    const place = packagedNode('45.5.0', archive, 'linux');
    const agent = path.join(path.dirname(place?.guardian ?? ''), 'scripted-claude.js');
    const { stdout, status } = spawnSync(place?.executable ?? '', [agent, '--version'], {
      env: { HOME: scratch },
      encoding: 'utf8',
    });
    expect([stdout.trim(), status]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+ \(Claude Code\)$/), 0]);
  });

  test('the command line of the package answers on that Node', () => {
    const place = packagedNode('45.5.0', archive, 'linux');
    const cli = path.join(packed, 'resources/app.asar.unpacked/out/cli/signalbox.js');
    const { stdout, stderr, status } = spawnSync(place?.executable ?? '', [cli, '--version'], {
      env: { HOME: scratch, SIGNALBOX_HOME: path.join(scratch, 'cli-data') },
      encoding: 'utf8',
    });
    expect([stdout.trim(), stderr, status]).toEqual(['0.1.0', '', 0]);
  });

  test('what it loads beside the bundle finds all it needs', () => {
    const place = packagedNode('45.5.0', archive, 'linux');
    const script =
      "for (const name of ['better-sqlite3', 'node-notifier']) require(name); new (require('better-sqlite3'))(':memory:').close(); process.stdout.write('loaded')";
    const { stdout, stderr } = spawnSync(place?.executable ?? '', ['-e', script], {
      cwd: path.join(packed, 'resources/app.asar.unpacked'),
      env: {},
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['loaded', '']);
  });

  test('what is in the archive starts, shows its tray and window, and quits', async () => {
    const extracted = path.join(scratch, 'extracted');
    asar.extractAll(archive, extracted);
    await using world = await DesktopWorld.create();
    const app = await world.start({ main: path.join(extracted, 'out/main/main.js') });
    const page = await app.page();
    await page.getByRole('main').first().waitFor();
    await app.click('quit');
    expect(await app.exit).toBe(0);
  });

  test('the notices of all packages are in it', () => {
    const notices = asar.extractFile(archive, 'out/THIRD-PARTY-NOTICES.txt').toString('utf8');
    expect(notices).toBe(readFileSync(path.join(root, 'out/THIRD-PARTY-NOTICES.txt'), 'utf8'));
    for (const name of ['better-sqlite3 ', 'react ', 'Node.js ', 'zod '])
      expect(notices).toContain(`\n${name}`);
  });
});
