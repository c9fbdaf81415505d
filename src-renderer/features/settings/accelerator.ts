/** Keys that Electron's accelerators name; letters and digits stand for themselves. */
const NAMED: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Enter: 'Return',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  Insert: 'Insert',
  Delete: 'Delete',
};

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The key without what Shift and the layout make of it. */
function keyName({ key, code }: Pressed): string | null {
  const plain = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  const named = plain?.[1] ?? plain?.[2] ?? NAMED[key];
  if (named !== undefined) return named;
  return /^F([1-9]|1\d|2[0-4])$/.test(key) ? key : null;
}

/**
 * What was pressed as an Electron accelerator; null while no such key is down, or when it would take a key from every
 * other program (no Control, Command or Alt).
 */
export function acceleratorOf(pressed: Pressed, isMac: boolean): string | null {
  const key = keyName(pressed);
  const isMod = isMac ? pressed.metaKey : pressed.ctrlKey;
  if (key === null || !(isMod || pressed.altKey || pressed.ctrlKey)) return null;
  return [
    isMod ? 'CommandOrControl' : pressed.ctrlKey ? 'Control' : null,
    pressed.altKey ? 'Alt' : null,
    pressed.shiftKey ? 'Shift' : null,
    key,
  ]
    .filter((part) => part !== null)
    .join('+');
}

/** Its keys as this system prints them. */
export const keysOf = (accelerator: string, isMac: boolean): string[] =>
  accelerator.split('+').map((part) => {
    if (part === 'CommandOrControl') return isMac ? '⌘' : 'Ctrl';
    if (part === 'Control') return 'Ctrl';
    return part === 'Alt' && isMac ? '⌥' : part;
  });
