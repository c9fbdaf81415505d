import { describe, expect, it } from 'vitest';
import { acceleratorOf, keysOf } from '../../../src-renderer/features/settings/accelerator.ts';
import { capValue } from '../../../src-renderer/features/settings/caps.ts';
import { Preferences } from '../../../src-shared/model/preferences.ts';

const pressed = (
  key: string,
  code: string,
  held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', true>> = {},
) => ({
  key,
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('a recorded shortcut', () => {
  it('is named as Electron names it, whatever Shift or the layout make of the key', () => {
    expect(acceleratorOf(pressed(' ', 'Space', { ctrlKey: true, shiftKey: true }), false)).toBe(
      'CommandOrControl+Shift+Space',
    );
    expect(acceleratorOf(pressed('∂', 'KeyD', { altKey: true }), true)).toBe('Alt+D');
    expect(acceleratorOf(pressed('!', 'Digit1', { metaKey: true, shiftKey: true }), true)).toBe(
      'CommandOrControl+Shift+1',
    );
    expect(acceleratorOf(pressed('F5', 'F5', { ctrlKey: true }), true)).toBe('Control+F5');
  });

  it('is none while only modifiers are down, or without any', () => {
    expect(acceleratorOf(pressed('Control', 'ControlLeft', { ctrlKey: true }), false)).toBeNull();
    expect(acceleratorOf(pressed('k', 'KeyK'), false)).toBeNull();
    expect(acceleratorOf(pressed('K', 'KeyK', { shiftKey: true }), false)).toBeNull();
  });

  it('is one that the settings take', () => {
    const accelerator = acceleratorOf(pressed('ArrowUp', 'ArrowUp', { ctrlKey: true, altKey: true }), false);
    expect(Preferences.parse({ shortcut: accelerator }).shortcut).toBe('CommandOrControl+Alt+Up');
  });

  it('is shown with the keys of the system', () => {
    expect(keysOf('CommandOrControl+Alt+B', false)).toEqual(['Ctrl', 'Alt', 'B']);
    expect(keysOf('CommandOrControl+Alt+B', true)).toEqual(['⌘', '⌥', 'B']);
  });
});

describe('the value of a cap', () => {
  it('is read with a point or a comma', () => {
    expect(capValue('budgetUsd', ' 12,5 ')).toBe(12.5);
    expect(capValue('perCallUsd', '0.25')).toBe(0.25);
    expect(capValue('callsPerDay', '0')).toBe(0);
  });

  it.each([
    ['callsPerDay', '1.5'],
    ['callsPerDay', '-1'],
    ['maxAttempts', '0'],
    ['callTimeoutS', '0'],
    ['budgetUsd', '1e3'],
    ['budgetUsd', ''],
    ['budgetUsd', 'ten'],
  ] as const)('is refused for %s: "%s"', (name, typed) => {
    expect(capValue(name, typed)).toBeNull();
  });
});
