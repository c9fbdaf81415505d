import { useEffect, useEffectEvent } from 'react';

/** In the form of `event.key`, with `Mod+` (Control, Command on macOS), `Shift+` and `Alt+` before it in that order. */
export type KeyMap = Readonly<Record<string, (event: KeyboardEvent) => void>>;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

export function keyOf(event: KeyboardEvent): string {
  const mod = isMac ? event.metaKey : event.ctrlKey;
  // A letter comes in capitals with Shift; named once, as without.
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const needsShift = event.shiftKey && (mod || event.altKey || event.key.length > 1);
  return `${mod ? 'Mod+' : ''}${needsShift ? 'Shift+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.tagName === 'TEXTAREA' ||
    target.tagName === 'SELECT' ||
    (target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range'].includes(target.type)));

let areLetterKeysOn = true;
/** Letters and digits as keys can be switched off: who dictates would set them off. */
export const setLetterKeys = (isOn: boolean): void => {
  areLetterKeysOn = isOn;
};

/**
 * Keys of a screen. Letters and digits act only outside text fields; a dialog that is open keeps all of them.
 * Every key has a visible control as well.
 *
 * @param isFirst they act before those of everything else
 */
export function useKeys(keys: KeyMap, isOn = true, isFirst = false): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = keyOf(event);
    const isLetter = key.length === 1;
    if (isLetter && (!areLetterKeysOn || isTyping(event.target))) return;
    if (document.querySelector('[role="dialog"]') !== null && !key.startsWith('Mod+Shift+')) return;
    const act = keys[key];
    if (act === undefined) return;
    event.preventDefault();
    act(event);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    window.addEventListener('keydown', pressed, isFirst);
    return () => window.removeEventListener('keydown', pressed, isFirst);
  }, [isOn, isFirst]);
}
