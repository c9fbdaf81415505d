import { expect, test } from 'vitest';
import { countResults, skipList } from '../../support/test-results.ts';

const file = (status: string, ...statuses: string[]) => ({
  name: '/x.test.ts',
  status,
  message: 'boom\nat line 3',
  assertionResults: statuses.map((each, index) => ({ status: each, fullName: `test ${index + 1}` })),
});

test('tests are counted by their state, and those that did not run are named', () => {
  const report = { testResults: [file('failed', 'passed', 'failed', 'skipped'), file('passed', 'passed')] };
  expect(countResults(report, 1)).toEqual({
    passed: 2,
    failed: 1,
    failures: ['test 2'],
    skipped: ['test 3'],
    problems: [],
  });
});

test('a file that could not be loaded is a failure though it has no tests', () => {
  const report = { testResults: [file('passed', 'passed'), file('failed')] };
  expect(countResults(report, 1)).toEqual({
    passed: 1,
    failed: 1,
    failures: [],
    skipped: [],
    problems: ['/x.test.ts: boom'],
  });
});

test('a run that ended badly is a failure though every test passed', () => {
  const report = { testResults: [file('passed', 'passed')] };
  expect([countResults(report, 1).problems, countResults(report, null).problems]).toEqual([
    ['the run ended with code 1'],
    ['the run was ended by a signal'],
  ]);
});

test('a run without a single test, or without a report, is a failure', () => {
  expect([
    countResults({ testResults: [] }, 0).failed,
    countResults(undefined, 0).failed,
    countResults({ testResults: [file('passed', 'skipped')] }, 0).failed,
  ]).toEqual([1, 1, 1]);
});

test('the skip list takes known names only', () => {
  expect([...skipList(' sandbox, account,', ['sandbox', 'account'])]).toEqual(['sandbox', 'account']);
  expect(() => skipList('sandbx', ['sandbox'])).toThrow(
    'SIGNALBOX_TEST_SKIP names sandbx; it takes: sandbox',
  );
});
