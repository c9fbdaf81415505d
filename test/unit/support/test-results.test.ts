import { expect, test } from 'vitest';
import { countBrowserResults, countResults, skipList } from '../../support/test-results.ts';

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

test('browser tests are counted by their state wherever they stand, and one that needed a second try has failed', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] });
  const report = {
    suites: [
      {
        title: 'a.spec.ts',
        specs: [spec('one', 'expected')],
        suites: [{ title: 'g', specs: [spec('two', 'flaky')] }],
      },
      { title: 'b.spec.ts', specs: [spec('three', 'skipped'), spec('four', 'unexpected')] },
    ],
    errors: [],
  };
  expect(countBrowserResults(report, 1)).toEqual({
    passed: 1,
    failed: 2,
    failures: ['a.spec.ts › g › two', 'b.spec.ts › four'],
    skipped: ['b.spec.ts › three'],
    problems: [],
  });
});

test('a browser run without a report, without tests, or that ended badly is a failure', () => {
  const good = { suites: [{ title: 'a', specs: [{ title: 'x', tests: [{ status: 'expected' }] }] }] };
  const results = [
    countBrowserResults(undefined, 0),
    countBrowserResults({ suites: [] }, 0),
    countBrowserResults(good, 1),
    countBrowserResults({ ...good, errors: [{ message: 'no browser\nat x' }] }, 1),
  ];
  expect(results.map(({ failed }) => failed)).toEqual([1, 1, 1, 1]);
  expect(results.at(-1)?.problems).toEqual(['no browser']);
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
