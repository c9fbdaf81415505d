import { describe, expect, test } from 'vitest';
import { isMeant } from '../../../src-renderer/features/inbox/use-guard.ts';
import { keyOf } from '../../../src-renderer/hooks/use-keys.ts';

const pressed = (key: string, more: Partial<KeyboardEvent> = {}): string =>
  keyOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more } as KeyboardEvent);

describe('the name of a key', () => {
  test.each([
    ['j', {}, 'j'],
    ['J', { shiftKey: true }, 'j'],
    ['?', { shiftKey: true }, '?'],
    ['Enter', { ctrlKey: true }, 'Mod+Enter'],
    ['K', { ctrlKey: true, shiftKey: true }, 'Mod+Shift+k'],
    ['F6', { shiftKey: true }, 'Shift+F6'],
    ['ArrowUp', { altKey: true }, 'Alt+ArrowUp'],
    ['P', { shiftKey: true, altKey: true }, 'Shift+Alt+p'],
    ['k', { metaKey: true }, 'k'],
  ])('%s with %j is %s', (key, more, wanted) => {
    expect(pressed(key, more)).toBe(wanted);
  });
});

describe('a press on an answer', () => {
  const [armed, early] = [
    { isArmed: true, arm: () => undefined },
    { isArmed: false, arm: () => undefined },
  ];

  test('counts once the item has been there for a while, by key and by pointer', () => {
    expect([0, 1, 2].map((clicks) => isMeant(armed, clicks))).toEqual([true, true, true]);
  });

  test('on an item that has just come counts as a first click alone: not a key, not the rest of a double click', () => {
    expect([0, 1, 2, 3].map((clicks) => isMeant(early, clicks))).toEqual([false, true, false, false]);
  });
});
