import fc from 'fast-check';
import type { TokenNode } from 'react-diff-view';
import { describe, expect, test } from 'vitest';
import { filesOf, lineOf, MOST_CHANGED_LINES } from '../../../src-renderer/components/diff/diff-files.ts';
import { noteText, withNote, type LineNote } from '../../../src-renderer/components/diff/line-notes.ts';
import {
  differingPart,
  lineTokens,
  LONGEST_LINE,
} from '../../../src-renderer/components/diff/line-tokens.ts';
import { SAMPLE_DIFF } from '../../e2e/support/sample-diff.ts';

const oneFile = (path: string, lines: readonly string[], hunk = `@@ -0,0 +1,${lines.length} @@`): string =>
  [
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    'index 0000000..1111111',
    '--- /dev/null',
    `+++ b/${path}`,
    hunk,
    ...lines.map((line) => `+${line}`),
    '',
  ].join('\n');

const textOf = (tokens: readonly TokenNode[] | undefined): string =>
  (tokens ?? [])
    .map((token) => (token.children === undefined ? String(token['value'] ?? '') : textOf(token.children)))
    .join('');

describe('the files of a diff', () => {
  test('say what became of each, with its path before when that was another', () => {
    const files = filesOf(SAMPLE_DIFF) ?? [];
    expect(files.map(({ path, oldPath, added, removed }) => [path, oldPath, added, removed])).toEqual([
      ['README.md', null, 2, 1],
      ['src/tariff/lookup.ts', null, 6, 3],
      ['src/tariff/cache.ts', null, 3, 0],
      ['docs/new.md', 'docs/old.md', 1, 1],
      ['logo.png', null, 0, 0],
    ]);
    expect(files.map(({ isBinary }) => isBinary)).toEqual([false, false, false, false, true]);
  });

  test.each([
    [
      'binary',
      'new file mode 100644\nindex 0000000..ad3f1c2\nBinary files /dev/null and b/a.bin differ\n',
      'add',
    ],
    ['empty', 'new file mode 100644\nindex 0000000..e69de29\n', 'add'],
    [
      'binary',
      'deleted file mode 100644\nindex ad3f1c2..0000000\nBinary files a/a.bin and /dev/null differ\n',
      'delete',
    ],
    ['binary', 'index ad3f1c2..bd3f1c2 100644\nBinary files a/a.bin and b/a.bin differ\n', 'modify'],
    ['empty', 'old mode 100644\nnew mode 100755\n', 'modify'],
  ])('an %s file without lines (%j) is told as what it is: %s', (_kind, lines, type) => {
    const [file] = filesOf(`diff --git a/a.bin b/a.bin\n${lines}`) ?? [];
    expect([file?.file.type, file?.path, file?.oldPath]).toEqual([type, 'a.bin', null]);
  });

  test('a changed mode is told with and without changed lines, and that of a new file is none', () => {
    const modes = 'old mode 100644\nnew mode 100755\n';
    const lines = 'index ad3f1c2..bd3f1c2\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-new mode 1\n+old mode 2\n';
    const files = filesOf(
      `diff --git a/a b/a\n${modes}diff --git a/b b/b\n${modes}${lines}` +
        'diff --git a/c b/c\nnew file mode 100755\nindex 0000000..e69de29\n',
    );
    const changed = { before: '100644', after: '100755' };
    expect(files?.map(({ mode }) => mode)).toEqual([changed, changed, null]);
  });

  test('a file that is gone has the path where it was', () => {
    const [file] =
      filesOf(
        'diff --git a/x.ts b/x.ts\ndeleted file mode 100644\nindex 1..0\n--- a/x.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n',
      ) ?? [];
    expect(file).toMatchObject({ path: 'x.ts', oldPath: null, removed: 1 });
    expect(file?.file.type).toBe('delete');
  });

  test('a line that looks like the head of another file is a line', () => {
    const files = filesOf(oneFile('a.txt', ['diff --git a/x b/x', '@@ -1 +1 @@', '+++ b/y', '-- a/y']));
    expect(files).toHaveLength(1);
    expect(files?.[0]?.added).toBe(4);
  });

  test('whatever a line holds, every added line is there with its characters', () => {
    const line = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !/[\n\r]/.test(text));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const [file] = filesOf(oneFile('a.txt', lines)) ?? [];
        const changes = file?.file.hunks.flatMap((hunk) => hunk.changes) ?? [];
        expect(changes.map((change) => change.content)).toEqual(lines);
        expect(changes.map(lineOf)).toEqual(lines.map((_, index) => index + 1));
        const tokens = lineTokens(file?.file.hunks ?? []);
        expect(lines.map((_, index) => textOf(tokens.new[index]))).toEqual(lines);
      }),
    );
  });

  test('beyond so many lines the rest waits to be asked for', () => {
    const many = Array.from({ length: MOST_CHANGED_LINES }, (_, index) => `line ${index}`);
    const files = filesOf(oneFile('a.txt', many) + oneFile('b.txt', ['one more'])) ?? [];
    expect(files.map(({ isSmall }) => isSmall)).toEqual([true, false]);
  });

  test('a mark is worth nothing once the content is another', () => {
    const stamp = (line: string): string | undefined => filesOf(oneFile('a.txt', [line]))?.[0]?.stamp;
    expect(stamp('one')).toBe(stamp('one'));
    expect(stamp('one')).not.toBe(stamp('two'));
  });

  test('nothing is no file, and what cannot be read whole is not shown in part', () => {
    expect(filesOf('\n')).toEqual([]);
    expect(filesOf(SAMPLE_DIFF.replace('@@ -12,7 +12,10 @@', '@@ -12,7 +12,40 @@'))).toBeNull();
  });
});

describe('what changed in a line', () => {
  test('is marked by whole words', () => {
    expect(
      differingPart('  return watch(dir, () => reload());', '  return watch(dir, (file) => reload());'),
    ).toEqual({
      from: 21,
      endA: 21,
      endB: 25,
    });
    const a = 'const table = loadTariffs();';
    const part = differingPart(a, 'const tableau = loadTariffs();');
    expect(a.slice(part?.from, part?.endA)).toBe('table');
  });

  test('lines that have little in common get no mark', () => {
    expect(differingPart('const table = loadTariffs();', 'if (hit) return hit;')).toBeNull();
  });

  test('a very long line is cut, and says by how much', () => {
    const [file] = filesOf(oneFile('a.txt', ['x'.repeat(LONGEST_LINE + 7)])) ?? [];
    const line = lineTokens(file?.file.hunks ?? []).new[0] ?? [];
    expect(textOf(line)).toHaveLength(LONGEST_LINE);
    expect(line.at(-1)).toMatchObject({ type: 'cut', count: 7 });
  });
});

describe('notes on lines', () => {
  const note = (given: Partial<LineNote> = {}): LineNote => ({
    path: 'src/a.ts',
    key: 'I24',
    line: 24,
    isOld: false,
    code: '    cache.clear();',
    text: 'Too much.',
    ...given,
  });

  test('become one text for the agent, each with its place', () => {
    expect(noteText(' Nearly. ', [note(), note({ key: 'D3', line: 3, isOld: true, code: '' })])).toBe(
      'Nearly.\n\nsrc/a.ts, line 24: `cache.clear();`\nToo much.\n\nsrc/a.ts, line 3 (before the change)\nToo much.',
    );
    expect(noteText('  ', [])).toBe('');
  });

  test('a line has one note, in its place; an empty one is none', () => {
    const first = note();
    const second = note({ key: 'I30', line: 30 });
    const changed = note({ text: 'Better.' });
    expect(withNote([first, second], changed)).toEqual([changed, second]);
    expect(withNote([first, second], note({ text: ' ' }))).toEqual([second]);
    expect(withNote([], first)).toEqual([first]);
  });
});
