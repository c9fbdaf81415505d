/**
 * npm installs a command on Windows as a batch file that starts an interpreter with a script, or a native
 * program (cmd-shim, as of npm 11). A batch file cannot be started without a shell, so we start what it starts.
 */
export interface WindowsShim {
  /** Path of the script or program, relative to the folder of the batch file, with backslashes. */
  readonly target: string;
  /** Name of the interpreter, `node`; null when the target is a program. */
  readonly interpreter: string | null;
}

/** @returns null when the text is no shim that we know; it is then not used at all, never guessed at */
export function parseWindowsShim(text: string): WindowsShim | null {
  const calls = [...text.slice(0, 20_000).matchAll(/"%(?:~dp0|dp0%)\\([^"%]+)"\s+(?:[^\r\n"]*\s)?%\*/g)];
  const target = calls.at(-1)?.[1];
  if (target === undefined) return null;
  if (/\.exe$/i.test(target)) return { target, interpreter: null };
  if (!/\.(?:js|cjs|mjs)$/i.test(target)) return null;
  return /"%_prog%"|\bnode\b/i.test(text) ? { target, interpreter: 'node' } : null;
}
