import fc from 'fast-check';
import path from 'node:path';
import { expect, test } from 'vitest';
import { executedOutside, isInside } from '../../../../src-main/core/workspace/executed-paths.ts';

test.each([
  ['/trees/t/a.py', true],
  ['a/b.py', true],
  ['/trees/t', true],
  ['../t/a.py', true],
  ['/trees/t2/a.py', false],
  ['../x', false],
  ['/trees/t/../../etc/passwd', false],
  ['a/../../x', false],
  ['C:\\Windows\\x', false],
])('%s inside /trees/t: %s', (candidate, expected) => {
  expect(isInside(candidate, '/trees/t')).toBe(expected);
});

test('it agrees with the path rules of the system for any path of a POSIX system', () => {
  const part = fc.constantFrom('..', '.', 'a', 'b', 't', 'trees', '');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
      const candidate = (absolute ? '/' : '') + parts.join('/');
      const full = path.posix.resolve('/trees/t', candidate === '' ? '.' : candidate);
      expect(isInside(candidate, '/trees/t')).toBe(full === '/trees/t' || full.startsWith('/trees/t/'));
    }),
  );
});

test('only a call that came back without an error was executed', () => {
  expect(
    executedOutside(
      [
        { kind: 'tool', id: '1', name: 'Write', input: '', path: '/etc/a' },
        { kind: 'tool', id: '2', name: 'Write', input: '', path: '/etc/b' },
        { kind: 'tool', id: '3', name: 'Write', input: '', path: '/trees/t/c' },
        { kind: 'tool-result', id: '1', isError: true, text: '' },
        { kind: 'tool-result', id: '2', isError: false, text: '' },
        { kind: 'tool-result', id: '3', isError: false, text: '' },
      ],
      '/trees/t',
    ),
  ).toEqual(['Write /etc/b']);
});
