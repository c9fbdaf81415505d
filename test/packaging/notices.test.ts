import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isCompatible, noticesText, shippedPackages } from '../../build/notices.ts';

const root = path.resolve(import.meta.dirname, '../..');
const shipped = shippedPackages(root);

const filesBelow = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => path.join(root, folder, file));
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

/** From source maps: which packages the bundler has really taken in. */
function bundled(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of [...filesBelow('out/main', /\.map$/), ...filesBelow('out/cli', /\.map$/)]) {
    const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { sources: readonly string[] };
    for (const source of sources) {
      const at = source.lastIndexOf('node_modules/');
      if (at !== -1) names.add(packageOf(source.slice(at + 'node_modules/'.length)));
    }
  }
  return names;
}

test('every package that is bundled into the application has its notice', () => {
  const named = new Set(shipped.map(({ name }) => name));
  const found = bundled();
  expect(found.size).toBeGreaterThan(10);
  expect([...found].filter((name) => !named.has(name))).toEqual([]);
});

test('every package that the window imports has its notice', () => {
  const named = new Set(shipped.map(({ name }) => name));
  const imported = filesBelow('src-renderer', /\.tsx?$/).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^.'][^']*)'/gm)].map(
      (match) => packageOf(match[1] ?? ''),
    ),
  );
  expect(imported).toContain('react');
  expect([...new Set(imported)].filter((name) => !named.has(name))).toEqual([]);
});

test('every licence may be shipped with software under MIT', () => {
  expect(shipped.filter(({ licence }) => !isCompatible(licence))).toEqual([]);
});

test('a licence is compatible when one choice of it is, and every part of that choice', () => {
  const expressions = [
    'MIT',
    '(MIT OR GPL-3.0-only)',
    'MIT AND ISC',
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    'MPL-2.0',
    'unknown',
  ];
  expect(expressions.map(isCompatible)).toEqual([true, true, true, false, false, false, false]);
});

test('the notices hold the text of each licence, and say where a package brings none', () => {
  const [withText] = shipped.filter(({ text }) => text !== '');
  const bare = { name: 'bare', version: '1.0.0', licence: 'MIT', author: 'A. Person', text: '' };
  const text = noticesText([...(withText === undefined ? [] : [withText]), bare], { Node: 'Words of Node.' });
  expect(text).toContain(withText?.text);
  expect(text).toContain('It names MIT, by A. Person');
  expect(text).toContain('Words of Node.');
});
