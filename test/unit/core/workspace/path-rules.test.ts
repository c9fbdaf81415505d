import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldSegment, isForbidden, staysInside } from '../../../../src-main/core/workspace/path-rules.ts';

test.each([
  '.git',
  '.GIT',
  '.Git',
  '.git.',
  '.git ',
  '.git. .',
  '.g\u200cit',
  '.git::$INDEX_ALLOCATION',
  'GIT~1',
  'git~9',
])('%j is a name of .git on some file system', (name) => {
  expect(foldSegment(name)).toBe('.git');
  expect(isForbidden(`a/${name}/config`, [])).toBe(true);
});

test.each(['.gitignore', '.github/workflows/x.yml', 'git', 'x.git', 'git~x', '.gitattributes', 'CLAUDE.md'])(
  '%j is an ordinary file',
  (name) => {
    expect(isForbidden(name, [])).toBe(false);
  },
);

test.each([
  ['secret', 'secret', true],
  ['secret', 'SECRET/key.pem', true],
  ['secret', 'secrets/key.pem', false],
  ['./secret/', 'secret/key.pem', true],
  ['a/*.pem', 'a/key.pem', true],
  ['a/*.pem', 'a/b/key.pem', false],
  ['**/*.pem', 'a/b/key.PEM', true],
  ['**/*.pem', 'key.pem', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['a?c', 'abc/x', true],
  ['a.c', 'abc', false],
  ['(x', '(x/y', true],
  ['', 'anything', false],
])('the forbidden path %j and the changed path %j: %s', (pattern, changed, isHit) => {
  expect(isForbidden(changed, [pattern])).toBe(isHit);
});

test('a path that stays inside has only plain parts, and joining it never leaves', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom('..', '.', '', 'a', '/', '\\', 'C:', '\n'), fc.string()), {
        maxLength: 6,
      }),
      (parts) => {
        const candidate = parts.join('/');
        if (!staysInside(candidate)) return;
        const depth = candidate.split(/[/\\]/).map((part) => {
          expect(['', '.', '..']).not.toContain(part);
          return part;
        });
        expect(depth.length).toBeGreaterThan(0);
        expect(candidate).not.toMatch(/^[/\\]|^[A-Za-z]:|[\u0000-\u001f]/);
      },
    ),
  );
});

test('no pattern of a project can make the check throw', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (pattern, changed) => {
      expect(typeof isForbidden(changed, [pattern])).toBe('boolean');
    }),
  );
});
