import { expect, test } from 'vitest';
import {
  validateChanges,
  type ChangedEntry,
  type TreeFindings,
} from '../../../../src-main/core/workspace/validate-changes.ts';

const NONE: TreeFindings = { outwardLinks: [], nestedRepositories: [], gitLookalikes: [], filtered: [] };
const LIMITS = { forbiddenPaths: ['vendor'], maxChangedFiles: 3, maxFileBytes: 100 };
const change = (path: string, more: Partial<ChangedEntry> = {}): ChangedEntry => ({
  path,
  from: null,
  status: 'modified',
  mode: '100644',
  bytes: 10,
  isLinkedElsewhere: false,
  ...more,
});

test('ordinary changes within the limits pass', () => {
  expect(
    validateChanges(
      [change('a'), change('b', { bytes: 100 }), change('c', { mode: '120000' })],
      NONE,
      LIMITS,
    ),
  ).toEqual([]);
});

test('each rule names itself and the place, once', () => {
  const changes = [
    change('vendor/x', { status: 'added' }),
    change('b', { from: '.claude/hooks', status: 'renamed' }),
    change('sub', { mode: '160000' }),
    change('dir/.gitmodules'),
    change('big', { bytes: 101 }),
    change('linked', { isLinkedElsewhere: true }),
    change('odd\ufffd'),
  ];
  const findings = {
    outwardLinks: ['out', 'linked'],
    nestedRepositories: ['sub'],
    gitLookalikes: ['.GIT'],
    filtered: ['f'],
  };
  expect(validateChanges(changes, findings, LIMITS)).toEqual([
    { rule: 'link-leads-outside', place: 'out' },
    { rule: 'link-leads-outside', place: 'linked' },
    { rule: 'nested-repository', place: 'sub' },
    { rule: 'forbidden-path', place: '.GIT' },
    { rule: 'filter-attribute', place: 'f' },
    { rule: 'forbidden-path', place: 'vendor/x' },
    { rule: 'forbidden-path', place: '.claude/hooks' },
    { rule: 'nested-repository', place: 'dir/.gitmodules' },
    { rule: 'file-too-large', place: 'big' },
    { rule: 'forbidden-path', place: 'odd\ufffd' },
    { rule: 'too-many-files', place: '7 changed files, at most 3' },
  ]);
});
