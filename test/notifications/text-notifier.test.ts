import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createTextNotifier } from '../../src-main/adapters/notifier/text-notifier.ts';
import { systemClock } from '../../src-main/adapters/system-clock.ts';
import { makeTempFolder, type TempFolder } from '../support/temp-folder.ts';

const LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
const PATH = process.env['PATH'];
let temp: TempFolder | null = null;
afterEach(() => {
  process.env['PATH'] = PATH;
  temp?.dispose();
  temp = null;
});

/** A `notify-send` that writes down its arguments, one a line, in the place of the real one. */
function spy(): { readonly folder: string; seen(): readonly string[] } {
  temp = makeTempFolder('notify-send');
  const folder = temp.path;
  const bin = path.join(folder, 'bin');
  mkdirSync(bin);
  const log = path.join(folder, 'seen');
  writeFileSync(
    path.join(bin, 'notify-send'),
    `#!/bin/sh\nfor each in "$@"; do printf '%s\\n' "$each" >> '${log}'; done\n`,
    {
      mode: 0o755,
    },
  );
  process.env['PATH'] = `${bin}:${PATH ?? ''}`;
  return { folder, seen: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []) };
}

const ATTEMPTS = (mark: string): readonly string[] => [
  `"; touch ${mark}; "`,
  `$(touch ${mark})`,
  `\`touch ${mark}\``,
  `\\"; touch ${mark} #`,
  `\\\\" ; touch ${mark} ; \\\\"`,
  `' ; touch ${mark} ; '`,
  `x" && touch ${mark} && "`,
  `x\n touch ${mark}\n`,
  `x | touch ${mark}`,
  `x > ${mark}`,
  `$\{IFS}touch$\{IFS}${mark}`,
  `!touch ${mark}`,
  `--hint=string:x:y --icon=/etc/passwd`,
  `-u critical`,
  `\u0000"; touch ${mark}`,
  `＂; touch ${mark}; ＂`,
];

test.runIf(process.platform === 'linux')(
  'no text breaks out of the shell string that node-notifier builds, or becomes an option',
  async () => {
    const { folder, seen } = spy();
    const mark = path.join(folder, 'broken-out');
    const notifier = createTextNotifier({ clock: systemClock, log: LOG });
    const plain = { key: 'k', urgency: 'normal', isSilent: false, buttons: [], reply: null } as const;
    for (const text of ATTEMPTS(mark)) {
      await notifier.show({ ...plain, title: text, body: text });
    }
    const words = seen();
    expect([existsSync(mark), words.length / ATTEMPTS(mark).length]).toEqual([false, 8]);
    // Each call has the two texts and options of ours with their values.
    const texts = words.filter((_word, index) => index % 8 < 2);
    expect(texts.filter((word) => word.startsWith('-') || /["'`$\\;&|<>\n]/.test(word))).toEqual([]);
  },
);
