import { expect, test } from 'vitest';
import { diffStat } from '../../../../src-main/core/workspace/diff-stat.ts';

test('lines of content that look like headers are counted as content', () => {
  const diff = [
    'diff --git a/sql/a.sql b/sql/a.sql',
    '--- a/sql/a.sql',
    '+++ b/sql/a.sql',
    '@@ -1,3 +1,3 @@',
    '--- a/comment',
    '--- another',
    '+++ b/added',
    '+@@ -1 +1 @@',
    ' same',
    '\\ No newline at end of file',
  ].join('\n');
  expect(diffStat(diff)).toEqual([{ path: 'sql/a.sql', added: 2, removed: 2 }]);
});

test('new, removed, renamed and binary files each count as one file', () => {
  const diff = [
    'diff --git a/new.ts b/new.ts',
    'new file mode 100644',
    '--- /dev/null',
    '+++ b/new.ts',
    '@@ -0,0 +1,2 @@',
    '+a',
    '+b',
    'diff --git a/gone.ts b/gone.ts',
    'deleted file mode 100644',
    '--- a/gone.ts',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-a',
    'diff --git a/old name.ts b/new name.ts',
    'similarity index 100%',
    'rename from old name.ts',
    'rename to new name.ts',
    'diff --git a/logo.png b/logo.png',
    'Binary files a/logo.png and b/logo.png differ',
    '',
  ].join('\n');
  expect(diffStat(diff)).toEqual([
    { path: 'new.ts', added: 2, removed: 0 },
    { path: 'gone.ts', added: 0, removed: 1 },
    { path: 'new name.ts', added: 0, removed: 0 },
    { path: 'logo.png', added: 0, removed: 0 },
  ]);
});

test('no diff is no file', () => {
  expect(diffStat('')).toEqual([]);
});
