import type { CommandLine } from '../../../src-shared/model/project.ts';

/** A command that a repository seems to want, and the file that says so. */
export interface Suggestion {
  readonly command: CommandLine;
  readonly source: string;
}

export interface Suggestions {
  /** Likeliest first. */
  readonly test: readonly Suggestion[];
  readonly setup: readonly Suggestion[];
}

/** Files whose text is looked at; of the others only that they are there. */
export const TELLING_FILES: readonly string[] = [
  'package.json',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'composer.json',
  'deno.json',
  'Makefile',
  'justfile',
  'Gemfile',
];

/** What the top folder of a repository holds; names of folders end with `/`. */
export interface TopFolder {
  readonly entries: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

interface Found {
  readonly test?: Suggestion;
  readonly setup?: Suggestion;
}
type Detector = (top: Top) => Found;

class Top {
  private readonly names: ReadonlySet<string>;
  private readonly texts: ReadonlyMap<string, string>;
  constructor(folder: TopFolder) {
    this.names = new Set(folder.entries);
    this.texts = folder.texts;
  }
  has(name: string): boolean {
    return this.names.has(name);
  }
  first(...names: readonly string[]): string | null {
    return names.find((name) => this.has(name)) ?? null;
  }
  matches(name: string, pattern: RegExp): boolean {
    return this.has(name) && pattern.test(this.texts.get(name) ?? '');
  }
  some(pattern: RegExp): boolean {
    return [...this.names].some((name) => pattern.test(name));
  }
  /** A member of a member of a JSON file; null when it is not there or no text. */
  jsonText(name: string, ...path: readonly string[]): string | null {
    let value: unknown;
    try {
      value = JSON.parse(this.texts.get(name) ?? '');
    } catch {
      return null;
    }
    for (const key of path) {
      if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return null;
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return typeof value === 'string' ? value : null;
  }
}

const of = (source: string, ...command: CommandLine): Suggestion => ({ command, source });

const NODE_LOCKS: readonly (readonly [lockfile: string, manager: string, setup: CommandLine])[] = [
  ['pnpm-lock.yaml', 'pnpm', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', 'yarn', ['yarn', 'install', '--frozen-lockfile']],
  ['bun.lock', 'bun', ['bun', 'install', '--frozen-lockfile']],
  ['bun.lockb', 'bun', ['bun', 'install', '--frozen-lockfile']],
  ['package-lock.json', 'npm', ['npm', 'ci']],
  ['npm-shrinkwrap.json', 'npm', ['npm', 'ci']],
];

const node: Detector = (top) => {
  if (!top.has('package.json')) return {};
  const lock = NODE_LOCKS.find(([lockfile]) => top.has(lockfile));
  const manager = lock?.[1] ?? 'npm';
  const script = top.jsonText('package.json', 'scripts', 'test');
  // What `npm init` writes where there are no tests.
  const hasTests = script !== null && !script.includes('no test specified');
  const run: CommandLine = manager === 'bun' ? ['bun', 'run', 'test'] : [manager, 'test'];
  return {
    ...(hasTests ? { test: of('package.json', ...run) } : {}),
    ...(lock === undefined ? {} : { setup: of(lock[0], ...lock[2]) }),
  };
};

const python: Detector = (top) => {
  const isPytest =
    top.first('pytest.ini', 'conftest.py') ??
    ['pyproject.toml', 'setup.cfg', 'tox.ini'].find((name) => top.matches(name, /\bpytest\b/)) ??
    null;
  const hasTests = top.has('tests/') || top.has('test/') || top.some(/^test_.*\.py$/);
  const isPython =
    top.first('pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt') !== null || top.some(/\.py$/);
  const program: CommandLine = top.has('uv.lock')
    ? ['uv', 'run', 'python']
    : top.has('poetry.lock')
      ? ['poetry', 'run', 'python']
      : ['python3'];
  const setup = top.has('uv.lock')
    ? of('uv.lock', 'uv', 'sync', '--locked')
    : top.has('poetry.lock')
      ? of('poetry.lock', 'poetry', 'install')
      : undefined;
  const test =
    isPytest !== null
      ? of(isPytest, ...program, '-m', 'pytest', '-q')
      : isPython && hasTests
        ? of(top.first('tests/', 'test/') ?? 'test_*.py', ...program, '-m', 'unittest')
        : undefined;
  return { ...(test === undefined ? {} : { test }), ...(setup === undefined ? {} : { setup }) };
};

const rust: Detector = (top) =>
  !top.has('Cargo.toml')
    ? {}
    : {
        test: of('Cargo.toml', 'cargo', 'test'),
        ...(top.has('Cargo.lock') ? { setup: of('Cargo.lock', 'cargo', 'fetch', '--locked') } : {}),
      };

const go: Detector = (top) =>
  !top.has('go.mod')
    ? {}
    : {
        test: of('go.mod', 'go', 'test', './...'),
        ...(top.has('go.sum') ? { setup: of('go.sum', 'go', 'mod', 'download') } : {}),
      };

const java: Detector = (top) => {
  if (top.has('pom.xml')) return { test: of('pom.xml', top.has('mvnw') ? './mvnw' : 'mvn', '-q', 'test') };
  const gradle = top.first('build.gradle', 'build.gradle.kts');
  return gradle === null ? {} : { test: of(gradle, top.has('gradlew') ? './gradlew' : 'gradle', 'test') };
};

const ruby: Detector = (top) => {
  if (!top.has('Gemfile')) return {};
  const test = top.has('spec/')
    ? of('spec/', 'bundle', 'exec', 'rspec')
    : top.has('Rakefile') && top.has('test/')
      ? of('Rakefile', 'bundle', 'exec', 'rake', 'test')
      : undefined;
  return { ...(test === undefined ? {} : { test }), setup: of('Gemfile', 'bundle', 'install') };
};

const others: Detector = (top) => {
  if (top.jsonText('composer.json', 'scripts', 'test') !== null)
    return {
      test: of('composer.json', 'composer', 'test'),
      setup: of('composer.json', 'composer', 'install'),
    };
  if (top.has('mix.exs'))
    return { test: of('mix.exs', 'mix', 'test'), setup: of('mix.exs', 'mix', 'deps.get') };
  if (top.jsonText('deno.json', 'tasks', 'test') !== null)
    return { test: of('deno.json', 'deno', 'task', 'test') };
  if (top.some(/\.(sln|slnx|csproj)$/)) return { test: of('*.sln', 'dotnet', 'test') };
  return {};
};

const make: Detector = (top) => {
  for (const target of ['test', 'check']) {
    if (top.matches('Makefile', new RegExp(`^${target}\\s*:(?!=)`, 'm')))
      return { test: of('Makefile', 'make', target) };
    if (top.matches('justfile', new RegExp(`^${target}\\b.*:(?!=)`, 'm')))
      return { test: of('justfile', 'just', target) };
  }
  return {};
};

const DETECTORS: readonly Detector[] = [node, python, rust, go, java, ruby, others, make];

/**
 * Commands that a repository seems to want for its tests and its set-up. Suggestions only: a person takes one or types
 * another, and nothing is run to find out.
 */
export function suggestCommands(folder: TopFolder): Suggestions {
  const top = new Top(folder);
  const found = DETECTORS.map((detect) => detect(top));
  return {
    test: found.flatMap(({ test }) => test ?? []),
    setup: found.flatMap(({ setup }) => setup ?? []),
  };
}
