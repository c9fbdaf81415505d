import { appendFileSync } from 'node:fs';
import type { ScriptedLogEntry } from './scripted-scenario.ts';

/** Writes and waits until the text is out, so that an exit right after tears nothing. */
export function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

export const printLine = (value: object): Promise<void> =>
  print(process.stdout, `${JSON.stringify(value)}\n`);

/** Appends in one write, so that processes that run at once do not mix their lines. */
export function writeLog(file: string | null, entry: ScriptedLogEntry): void {
  if (file !== null) appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
