/** What a part of the suite came to. */
export interface PartResult {
  readonly passed: number;
  readonly failed: number;
  /** Titles of the tests that failed: the end of a run's output must be enough to know what to look at. */
  readonly failures: readonly string[];
  /** Titles of tests that did not run, and of files that could not be loaded. */
  readonly skipped: readonly string[];
  readonly problems: readonly string[];
}

interface Assertion {
  readonly status?: unknown;
  readonly fullName?: unknown;
}
interface FileResult {
  readonly name?: unknown;
  readonly status?: unknown;
  readonly message?: unknown;
  readonly assertionResults?: unknown;
}

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as readonly T[]) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Counts from vitest's JSON reporter (shape seen with 5.1.2: Jest's).
 *
 * A file that could not be loaded has no tests in the report and counts as one failure. So does a run that ended
 * with an error though every test passed (an unhandled rejection), one that wrote no report, and one in which not
 * a single test ran: nothing of that may look like success.
 *
 * @param report parsed JSON, undefined when there was no file
 * @param exitCode of the vitest process; null when a signal ended it
 */
export function countResults(report: unknown, exitCode: number | null): PartResult {
  const files = listOf<FileResult>((report as { readonly testResults?: unknown } | undefined)?.testResults);
  let passed = 0;
  let failed = 0;
  const failures: string[] = [];
  const skipped: string[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const assertions = listOf<Assertion>(file.assertionResults);
    for (const assertion of assertions) {
      if (assertion.status === 'passed') passed += 1;
      else if (assertion.status === 'failed') {
        failed += 1;
        failures.push(textOf(assertion.fullName));
      } else skipped.push(textOf(assertion.fullName));
    }
    if (file.status === 'failed' && !assertions.some((each) => each.status === 'failed')) {
      failed += 1;
      problems.push(`${textOf(file.name)}: ${textOf(file.message).split('\n')[0] ?? ''}`);
    }
  }
  if (passed + failed === 0) {
    failed += 1;
    problems.push('not a single test ran');
  } else if (exitCode !== 0 && failed === 0) {
    failed += 1;
    problems.push(
      exitCode === null ? 'the run was ended by a signal' : `the run ended with code ${exitCode}`,
    );
  }
  return { passed, failed, failures, skipped, problems };
}

interface BrowserSpec {
  readonly title?: unknown;
  readonly file?: unknown;
  readonly tests?: unknown;
}
interface BrowserSuite {
  readonly title?: unknown;
  readonly specs?: unknown;
  readonly suites?: unknown;
}

/** Specs with the titles of the suites around them. */
function specsOf(suites: unknown, above: string): (BrowserSpec & { readonly name: string })[] {
  return listOf<BrowserSuite>(suites).flatMap((suite) => {
    const name = `${above}${textOf(suite.title)} › `;
    const own = listOf<BrowserSpec>(suite.specs).map((spec) => ({
      ...spec,
      name: name + textOf(spec.title),
    }));
    return [...own, ...specsOf(suite.suites, name)];
  });
}

/**
 * Counts from Playwright's JSON reporter (shape seen with 1.65.1), by the same rules as {@link countResults}. A test
 * that passed only when it was tried again has failed.
 */
export function countBrowserResults(report: unknown, exitCode: number | null): PartResult {
  const { suites, errors } = (report ?? {}) as { readonly suites?: unknown; readonly errors?: unknown };
  const failures: string[] = [];
  const skipped: string[] = [];
  let passed = 0;
  for (const spec of specsOf(suites, '')) {
    for (const { status } of listOf<{ readonly status?: unknown }>(spec.tests)) {
      if (status === 'expected') passed += 1;
      else if (status === 'skipped') skipped.push(spec.name);
      else failures.push(spec.name);
    }
  }
  const problems = listOf<{ readonly message?: unknown }>(errors).map(
    ({ message }) => textOf(message).split('\n')[0] ?? '',
  );
  let failed = failures.length;
  if (passed + failed === 0) problems.push('not a single test ran');
  else if (exitCode !== 0 && failed === 0 && problems.length === 0) {
    problems.push(
      exitCode === null ? 'the run was ended by a signal' : `the run ended with code ${exitCode}`,
    );
  }
  if (problems.length > 0 && failed === 0) failed = 1;
  return { passed, failed, failures, skipped, problems };
}

/** Names in `SIGNALBOX_TEST_SKIP`, a comma list. @throws Error for a name that means nothing */
export function skipList(text: string | undefined, known: readonly string[]): ReadonlySet<string> {
  const names = (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`SIGNALBOX_TEST_SKIP names ${unknown}; it takes: ${known.join(', ')}`);
  }
  return new Set(names);
}
