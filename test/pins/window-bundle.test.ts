import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const temp = makeTempFolder('window');
let scripts: readonly string[] = [];
/** What the page names: the first load. */
let first: readonly string[] = [];
let page = '';

beforeAll(() => {
  const script = path.join(root, 'build/build-window.mjs');
  execFileSync(process.execPath, [script, '--quiet', '--out', temp.path], { stdio: 'pipe' });
  const files = readdirSync(temp.path, { recursive: true, encoding: 'utf8' });
  const names = files.filter((file) => file.endsWith('.js'));
  page = readFileSync(temp.join('index.html'), 'utf8');
  const read = (file: string): string => readFileSync(temp.join(file), 'utf8');
  scripts = names.map(read);
  first = names.filter((file) => page.includes(path.basename(file))).map(read);
}, 120_000);
afterAll(() => temp.dispose());

describe('the built window', () => {
  test('holds no import of Electron and none of Node', () => {
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script.match(/["'`]electron(?:\/[a-z]+)?["'`]/g)).toBeNull();
      expect(script.match(/["'`]node:[a-z]/g)).toBeNull();
    }
  });

  test('is on the screen after less than 250 kB of script, compressed', () => {
    expect(first.length).toBeGreaterThan(0);
    const bytes = first.reduce((sum, script) => sum + gzipSync(script).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  test('writes no style element and evaluates no text, which its policy would refuse', () => {
    for (const script of scripts) {
      // React's own way to hoist a <style> of ours is not one of these: no component has any.
      expect(script.match(/document\.createElement\(["'`]style["'`]\)/g)).toBeNull();
      expect(script.match(/new Function\(/g)).toBeNull();
    }
    expect(page).not.toMatch(/<style|<script>|style=|onload=/);
  });
});
