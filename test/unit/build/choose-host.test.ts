import { describe, expect, test } from 'vitest';
import { chooseHost, electronAddress, hasDisplay, type StartFacts } from '../../../build/choose-host.ts';

const facts = (some: Partial<StartFacts>): StartFacts => ({
  wanted: undefined,
  hasDisplay: true,
  hasElectron: false,
  canFetchElectron: () => Promise.reject(new Error('nobody asked for this')),
  ...some,
});

describe('npm start', () => {
  test.each<[string, Partial<StartFacts>, object]>([
    ['the desktop application when Electron is there', { hasElectron: true }, { kind: 'desktop' }],
    ['Electron when it can be fetched', { canFetchElectron: () => Promise.resolve(true) }, { kind: 'fetch' }],
    [
      'the web host when Electron cannot be fetched, and says so',
      { canFetchElectron: () => Promise.resolve(false) },
      { kind: 'web', why: expect.stringContaining('cannot be reached') },
    ],
    [
      'the web host without a display, and says so',
      { hasDisplay: false, hasElectron: true },
      { kind: 'web', why: expect.stringContaining('no display') },
    ],
    ['the web host without any question when it is asked for', { wanted: 'web' }, { kind: 'web', why: null }],
    ['Electron without a question when the desktop is asked for', { wanted: 'desktop' }, { kind: 'fetch' }],
    [
      'the desktop application when it is asked for, display or not',
      { wanted: 'desktop', hasDisplay: false, hasElectron: true },
      { kind: 'desktop' },
    ],
  ])('takes %s', async (_what, some, choice) => {
    expect(await chooseHost(facts(some))).toEqual(choice);
  });

  test('refuses a host that there is not', async () => {
    await expect(chooseHost(facts({ wanted: 'tv' }))).rejects.toThrow('SIGNALBOX_HOST is web or desktop');
  });

  test('asks where Electron would be fetched from, or the mirror that the person has set', () => {
    const file = 'v45.5.0/electron-v45.5.0-linux-x64.zip';
    const at = (env: Record<string, string>) => electronAddress('45.5.0', 'linux', 'x64', env);
    expect([at({}), at({ ELECTRON_MIRROR: 'https://mirror.example/' })]).toEqual([
      `https://github.com/electron/electron/releases/download/${file}`,
      `https://mirror.example/${file}`,
    ]);
  });

  test('expects a display everywhere but on Linux', () => {
    expect([
      hasDisplay('linux', {}),
      hasDisplay('linux', { DISPLAY: ':0' }),
      hasDisplay('linux', { WAYLAND_DISPLAY: 'wayland-0' }),
      hasDisplay('darwin', {}),
      hasDisplay('win32', {}),
    ]).toEqual([false, true, true, true, true]);
  });
});
