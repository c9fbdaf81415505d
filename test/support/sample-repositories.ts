import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';

/** A git repository of a test, with a small module and its tests. All its data is made up. */
export interface SampleRepository {
  readonly path: string;
  readonly branch: string;
  /** Runs git in it with a clean configuration. @returns stdout, trimmed */
  git(...args: readonly string[]): Promise<string>;
  /** Content of a file on a branch or commit. */
  show(revision: string, file: string): Promise<string>;
}

const PYTHON: Readonly<Record<string, string>> = {
  'invoice.py': [
    '"""Sums the line items of a fake invoice of ACME Test Ltd."""',
    '',
    '',
    'def total(items):',
    '    return sum(items)',
    '',
  ].join('\n'),
  'test_invoice.py': [
    'import unittest',
    '',
    'from invoice import total',
    '',
    '',
    'class TotalTest(unittest.TestCase):',
    '    def test_adds_the_items(self):',
    '        self.assertEqual(total([123.25, 0.75]), 124.0)',
    '',
    '',
    'if __name__ == "__main__":',
    '    unittest.main()',
    '',
  ].join('\n'),
};

const JAVASCRIPT: Readonly<Record<string, string>> = {
  'invoice.mjs': 'export const total = (items) => items.reduce((sum, item) => sum + item, 0);\n',
  'invoice.test.mjs': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { total } from './invoice.mjs';",
    '',
    "test('adds the items', () => assert.equal(total([123.25, 0.75]), 124));",
    '',
  ].join('\n'),
};

export const SAMPLES = {
  python: { files: PYTHON, test: ['python3', '-m', 'unittest'] },
  javascript: { files: JAVASCRIPT, test: ['node', '--test'] },
} as const;
export type SampleKind = keyof typeof SAMPLES;

/** Git that reads no configuration of this machine. */
export const gitEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LANG: 'C.UTF-8',
});

/** Makes a repository with one commit on `main`. `files` are added to, or put in place of, the sample's. */
export async function makeRepository(
  folder: string,
  kind: SampleKind,
  files: Readonly<Record<string, string>> = {},
): Promise<SampleRepository> {
  const git = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await execa('git', args, { cwd: folder, env: gitEnvironment(), extendEnv: false });
    return stdout.trim();
  };
  for (const [name, content] of Object.entries({ ...SAMPLES[kind].files, ...files })) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await git('init', '--quiet', '--initial-branch=main');
  await git('config', 'user.name', 'Test Person');
  await git('config', 'user.email', 'person@example.com');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Start');
  return { path: folder, branch: 'main', git, show: (revision, file) => git('show', `${revision}:${file}`) };
}
