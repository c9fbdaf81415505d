import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestCommands, TELLING_FILES } from '../../../../src-main/core/projects/suggest-commands.ts';

const suggest = (files: Readonly<Record<string, string>>): { test: string[]; setup: string[] } => {
  const { test: tests, setup } = suggestCommands({
    entries: Object.keys(files),
    texts: new Map(Object.entries(files)),
  });
  return {
    test: tests.map(({ command, source }) => `${command.join(' ')} (${source})`),
    setup: setup.map(({ command, source }) => `${command.join(' ')} (${source})`),
  };
};
const scripts = (test_: string): string => JSON.stringify({ scripts: { test: test_ } });

test.each<[string, Readonly<Record<string, string>>, string[], string[]]>([
  [
    'npm',
    { 'package.json': scripts('vitest'), 'package-lock.json': '' },
    ['npm test (package.json)'],
    ['npm ci (package-lock.json)'],
  ],
  [
    'pnpm',
    { 'package.json': scripts('vitest'), 'pnpm-lock.yaml': '' },
    ['pnpm test (package.json)'],
    ['pnpm install --frozen-lockfile (pnpm-lock.yaml)'],
  ],
  [
    'bun',
    { 'package.json': scripts('bun test'), 'bun.lock': '' },
    ['bun run test (package.json)'],
    ['bun install --frozen-lockfile (bun.lock)'],
  ],
  ['npm without tests', { 'package.json': scripts('echo "Error: no test specified" && exit 1') }, [], []],
  ['broken package.json', { 'package.json': '{' }, [], []],
  [
    'pytest by pyproject',
    { 'pyproject.toml': '[tool.pytest.ini_options]' },
    ['python3 -m pytest -q (pyproject.toml)'],
    [],
  ],
  [
    'pytest with uv',
    { 'pyproject.toml': 'dev = ["pytest"]', 'uv.lock': '' },
    ['uv run python -m pytest -q (pyproject.toml)'],
    ['uv sync --locked (uv.lock)'],
  ],
  ['unittest', { 'invoice.py': '', 'test_invoice.py': '' }, ['python3 -m unittest (test_*.py)'], []],
  [
    'cargo',
    { 'Cargo.toml': '', 'Cargo.lock': '' },
    ['cargo test (Cargo.toml)'],
    ['cargo fetch --locked (Cargo.lock)'],
  ],
  ['go', { 'go.mod': '', 'go.sum': '' }, ['go test ./... (go.mod)'], ['go mod download (go.sum)']],
  ['maven wrapper', { 'pom.xml': '', mvnw: '' }, ['./mvnw -q test (pom.xml)'], []],
  ['gradle', { 'build.gradle.kts': '' }, ['gradle test (build.gradle.kts)'], []],
  ['make', { Makefile: 'all:\n\ntest: all\n\tpytest\n' }, ['make test (Makefile)'], []],
  ['make without a target for tests', { Makefile: 'test := 1\nall:\n' }, [], []],
  ['a tests folder of another language', { 'tests/': '' }, [], []],
  ['nothing', {}, [], []],
])('%s', (_name, files, tests, setup) => {
  expect(suggest(files)).toEqual({ test: tests, setup });
});

test('of a repository of two languages both commands come', () => {
  expect(suggest({ 'package.json': scripts('vitest'), 'Cargo.toml': '' }).test).toEqual([
    'npm test (package.json)',
    'cargo test (Cargo.toml)',
  ]);
});

test('whatever the files hold, a suggestion is a command of words', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom(...TELLING_FILES, 'package-lock.json', 'uv.lock', 'tests/', 'x.py', 'go.mod'),
        fc.oneof(fc.string(), fc.json(), fc.constant(scripts('x')), fc.constant('{"scripts":{"test":{}}}')),
      ),
      (files) => {
        for (const text of Object.values(suggest(files)).flat())
          expect(text).toMatch(/^[\w./*:-]+( [\w./*:-]+)* \(.+\)$/);
      },
    ),
  );
});
