/** A folder laid out as Electron's distribution for Linux, with programs that do nothing. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where `@electron/fuses` finds the switches in Electron's binary: this text, a version, a length, one byte each. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 9;

export function writeStubElectron(folder: string, version: string): void {
  mkdirSync(path.join(folder, 'locales'), { recursive: true });
  mkdirSync(path.join(folder, 'resources'), { recursive: true });
  const program = (name: string, ending = Buffer.alloc(0)): void => {
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), ending]));
    chmodSync(file, 0o755);
  };
  const fuses = Buffer.concat([
    Buffer.from(`# ${FUSE_SENTINEL}`),
    Buffer.from([1, FUSES]),
    // All on, so that whatever is off afterwards was switched off by the packaging.
    Buffer.from('1'.repeat(FUSES)),
  ]);
  program('electron', fuses);
  program('chrome-sandbox');
  program('chrome_crashpad_handler');
  writeFileSync(path.join(folder, 'version'), version);
  writeFileSync(path.join(folder, 'LICENSE'), 'Electron');
  writeFileSync(path.join(folder, 'LICENSES.chromium.html'), 'Chromium');
  writeFileSync(path.join(folder, 'locales/en-US.pak'), '');
}
