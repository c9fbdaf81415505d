import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { autostartEntry, createLoginItem } from '../../../../src-main/hosts/electron/login-item.ts';
import { makeTempFolder, type TempFolder } from '../../../support/temp-folder.ts';

let temp: TempFolder | null = null;
afterEach(() => {
  temp?.dispose();
  temp = null;
});

const app = (set: unknown[] = []) =>
  ({
    getPath: (name: string) => (name === 'exe' ? '/opt/Signalbox/signalbox' : (temp?.path ?? '')),
    getLoginItemSettings: (words: unknown) => ({
      openAtLogin: true,
      executableWillLaunchAtLogin: JSON.stringify(words) === '{"args":["--hidden"]}',
    }),
    setLoginItemSettings: (settings: unknown) => set.push(settings),
  }) as unknown as Parameters<typeof createLoginItem>[0]['app'];

test('on Linux a file in the autostart folder starts it hidden, and goes again', () => {
  temp = makeTempFolder('autostart');
  const env = { XDG_CONFIG_HOME: temp.path };
  const item = createLoginItem({ app: app(), platform: 'linux', env });
  const file = path.join(temp.path, 'autostart', 'dev.signalbox.Signalbox.desktop');
  const before = item.isOn();
  item.set(true);
  const text = readFileSync(file, 'utf8');
  const during = item.isOn();
  writeFileSync(file, `${text}Hidden=true\n`);
  const switchedOffElsewhere = item.isOn();
  item.set(false);
  expect([before, during, switchedOffElsewhere, item.isOn()]).toEqual([false, true, false, false]);
  expect(text).toContain('Exec="/opt/Signalbox/signalbox" --hidden\n');
});

test('an AppImage is started by its file', () => {
  temp = makeTempFolder('autostart');
  const env = { XDG_CONFIG_HOME: temp.path, APPIMAGE: '/home/ada/Signalbox.AppImage' };
  createLoginItem({ app: app(), platform: 'linux', env }).set(true);
  const file = path.join(temp.path, 'autostart', 'dev.signalbox.Signalbox.desktop');
  expect(readFileSync(file, 'utf8')).toContain('Exec="/home/ada/Signalbox.AppImage" --hidden');
});

test.each([
  ['/opt/a b/x', '"/opt/a b/x"'],
  ['/opt/100%/x', '"/opt/100%%/x"'],
  ['/opt/$HOME/`x`/"y"', '"/opt/\\\\$HOME/\\\\`x\\\\`/\\\\"y\\\\""'],
])('a path is quoted as the desktop entry wants: %s', (file, quoted) => {
  expect(autostartEntry(file)).toContain(`Exec=${quoted} --hidden\n`);
});

test('Windows and macOS are asked with the words that they were told', () => {
  const set: unknown[] = [];
  const windows = createLoginItem({ app: app(set), platform: 'win32', env: {} });
  const mac = createLoginItem({ app: app(set), platform: 'darwin', env: {} });
  windows.set(true);
  mac.set(false);
  expect([windows.isOn(), mac.isOn(), set]).toEqual([
    true,
    true,
    [{ openAtLogin: true, args: ['--hidden'] }, { openAtLogin: false }],
  ]);
});
