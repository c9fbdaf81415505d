// `npm test`: every part of the suite in order, a line for each, and as the last line `N passed, N failed`.
// `npm test -- unit contract` runs only the parts that are named; a part on demand runs only so.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { countBrowserResults, countResults, skipList } from './support/test-results.ts';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const isWindows = process.platform === 'win32';
// better-sqlite3 needs the packaged Node; whatever Node runs this file, its children get that one.
const node = path.join(root, 'node_modules/node/bin', isWindows ? 'node.exe' : 'node');
const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
const environment = {
  ...process.env,
  [pathName]: [path.join(root, 'node_modules/.bin'), process.env[pathName] ?? ''].join(path.delimiter),
};

/** What a capability needs of the system, and which test files are about it alone. */
const CAPABILITIES = {
  sandbox: {
    tools: process.platform === 'linux' ? { bwrap: 'bubblewrap' } : {},
    files: ['**/*sandbox*.test.ts', '**/*confine*.test.ts', '**/*bubblewrap*.test.ts'],
  },
  account: {
    tools: process.platform === 'linux' ? { setfacl: 'acl', sudo: 'sudo' } : {},
    files: ['**/*account*.test.ts'],
  },
};
/** Programs of the sample projects and their repositories, by Debian package. */
const PROGRAMS = { git: 'git', python3: 'python3' };
/** Chromium of the system, or the one that `npx playwright install chromium` fetched (playwright.config.ts). */
const hasBrowser = () =>
  existsSync(process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium') || existsSync(chromium.executablePath());
const OTHER_WAYS = { chromium: '; or `npx playwright install chromium`' };
const BROWSER = hasBrowser() ? {} : { chromium: 'chromium' };
/** A session bus and a screen of their own, with a real notification daemon. */
const DESKTOP = { 'dbus-run-session': 'dbus', Xvfb: 'xvfb', dunst: 'dunst', 'notify-send': 'libnotify-bin' };
/**
 * `seconds` is a bound against a part that hangs, far above what it takes. `workers` are more than there are cores
 * where files wait for processes far more than they compute. Neighbours of one `group` run at the same time.
 */
const PARTS = [
  { name: 'lint', script: 'lint', seconds: 600, group: 'static' },
  { name: 'types', script: 'types', seconds: 600, group: 'static' },
  { name: 'unit', folder: 'test/unit', seconds: 600 },
  {
    name: 'integration',
    folder: 'test/integration',
    needs: ['sandbox', 'account'],
    tools: PROGRAMS,
    workers: 4,
    seconds: 1200,
  },
  {
    name: 'contract',
    folder: 'test/contract',
    needs: ['sandbox'],
    tools: PROGRAMS,
    workers: 4,
    seconds: 1200,
  },
  { name: 'e2e', folder: 'test/e2e', isBrowser: true, tools: { ...PROGRAMS, ...BROWSER }, seconds: 900 },
  // Minutes for what the window's tests show already in a browser: `npm test -- electron`, or `npm run test:electron`.
  {
    name: 'electron',
    folder: 'test/e2e/electron',
    runner: 'test/electron-host/run.mjs',
    isOnDemand: true,
    seconds: 900,
  },
  {
    name: 'notifications',
    folder: 'test/notifications',
    runner: 'test/notifications/run.mjs',
    tools: DESKTOP,
    platforms: ['linux'],
    seconds: 600,
  },
  { name: 'torture', folder: 'test/torture', needs: ['sandbox'], tools: PROGRAMS, seconds: 1200 },
];
const isHere = (part) => (part.platforms ?? [process.platform]).includes(process.platform);

const say = (line) => process.stdout.write(`${line}\n`);

function findTool(name) {
  for (const folder of (process.env[pathName] ?? '').split(path.delimiter)) {
    for (const ending of isWindows ? ['.exe', '.cmd', ''] : ['']) {
      try {
        const file = path.join(folder, name + ending);
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not in this folder.
      }
    }
  }
  return null;
}

const isDebianRoot = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** Debian as root: fetches what is missing and says so. Anywhere else it only tells what is missing. */
function installPackages(packages) {
  if (packages.length === 0 || !isDebianRoot()) return;
  say(`installing system packages: ${packages.join(' ')}`);
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  if (!apt('update', '-q') || !apt('install', '-y', '-q', '--no-install-recommends', ...packages)) {
    say('apt-get could not install them');
  }
}

const toolsOf = (part) => ({
  ...(part.tools ?? {}),
  ...Object.assign(
    {},
    ...(part.needs ?? []).filter((need) => !skip.has(need)).map((need) => CAPABILITIES[need].tools),
  ),
});

/** Bubblewrap may be there and yet not be allowed to make namespaces (a container without them). */
function sandboxProblem() {
  if (process.platform !== 'linux') return null;
  const probe = spawnSync('bwrap', ['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-all', 'true'], {
    encoding: 'utf8',
  });
  return probe.status === 0
    ? null
    : `bubblewrap cannot run here: ${(probe.stderr ?? '').trim() || 'no reason given'}`;
}

/** What keeps a part from running as it should; empty when nothing does. */
function missingFor(part) {
  const missing = Object.entries(toolsOf(part))
    .filter(([tool]) => findTool(tool) === null)
    .map(([tool, from]) => `${tool} is missing (package ${from}${OTHER_WAYS[tool] ?? ''})`);
  const usesSandbox = (part.needs ?? []).includes('sandbox') && !skip.has('sandbox');
  const problem = usesSandbox && missing.length === 0 ? sandboxProblem() : null;
  return problem === null ? missing : [...missing, problem];
}

/** @returns its exit code, null when a signal ended it; `show` gets what it prints, as it comes */
function run(command, args, seconds, show, { shell = false, env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', show);
    const timer = setTimeout(() => {
      show(`ended after ${seconds} s\n`);
      child.kill('SIGKILL');
    }, seconds * 1000);
    const finish = (code) => {
      clearTimeout(timer);
      resolve(code);
    };
    child.on('error', (error) => {
      show(`${error}\n`);
      finish(1);
    });
    child.on('close', finish);
  });
}

const hasTests = (folder) =>
  existsSync(path.join(root, folder)) &&
  readdirSync(path.join(root, folder), { recursive: true }).some((file) => String(file).endsWith('.test.ts'));

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

async function runPart(part, temp, show) {
  const failure = (problem) => ({ passed: 0, failed: 1, failures: [], skipped: [], problems: [problem] });
  if (part.script !== undefined) {
    const code = await run(`npm run -s ${part.script}`, [], part.seconds, show, { shell: true });
    return code === 0
      ? { passed: 1, failed: 0, failures: [], skipped: [], problems: [] }
      : failure(`ended with code ${code}`);
  }
  if (!hasTests(part.folder)) return failure(`${part.folder} has no tests`);
  const missing = missingFor(part);
  if (missing.length > 0) {
    return failure(
      `${missing.join('; ')}; SIGNALBOX_TEST_SKIP can leave out ${part.needs?.join(', ') ?? part.name}`,
    );
  }
  const report = path.join(temp, `${part.name}.json`);
  if (part.isBrowser) {
    const code = await run(
      node,
      [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json'],
      part.seconds,
      show,
      { env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
    );
    return countBrowserResults(readReport(report), code);
  }
  const excluded = (part.needs ?? [])
    .filter((need) => skip.has(need))
    .flatMap((need) => CAPABILITIES[need].files);
  // A runner of its own prepares a place and starts vitest in it.
  const vitest =
    part.runner === undefined
      ? [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', part.name]
      : [path.join(root, part.runner)];
  const code = await run(
    node,
    [
      ...vitest,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(part.workers === undefined ? [] : [`--maxWorkers=${part.workers}`]),
      ...excluded.map((pattern) => `--exclude=${pattern}`),
    ],
    part.seconds,
    show,
  );
  return countResults(readReport(report), code);
}

const known = [...PARTS.map((part) => part.name), ...Object.keys(CAPABILITIES)];
let skip;
try {
  skip = skipList(process.env.SIGNALBOX_TEST_SKIP, known);
} catch (error) {
  say(`${error.message}\n0 passed, 1 failed`);
  process.exit(1);
}
const wanted = process.argv.slice(2);
const strange = wanted.find((name) => !PARTS.some((part) => part.name === name));
if (strange !== undefined) {
  say(`there is no part ${strange}; parts are: ${PARTS.map((part) => part.name).join(', ')}`);
  process.exit(2);
}

const temp = mkdtempSync(path.join(os.tmpdir(), 'signalbox-test-all-'));
const totals = { passed: 0, failed: 0 };
const left = [...skip].map((name) => `${name} (named in SIGNALBOX_TEST_SKIP)`);
const failures = [];
const lines = [];
try {
  const asked = PARTS.filter(
    (part) => !skip.has(part.name) && (wanted.length === 0 ? !part.isOnDemand : wanted.includes(part.name)),
  );
  const chosen = asked.filter(isHere);
  left.push(
    ...asked
      .filter((part) => !isHere(part))
      .map((part) => `${part.name} (not on this system: ${part.platforms.join(', ')} only)`),
  );
  const packages = chosen
    .flatMap((part) => Object.entries(toolsOf(part)))
    .filter(([tool]) => findTool(tool) === null);
  installPackages([...new Set(packages.map(([, from]) => from))]);
  const measure = async (part, show) => {
    const begun = performance.now();
    const result = await runPart(part, temp, show);
    return { part, result, took: ((performance.now() - begun) / 1000).toFixed(1) };
  };
  while (chosen.length > 0) {
    const [first] = chosen;
    const end = chosen.findIndex((part) => part.group === undefined || part.group !== first.group);
    const together = chosen.splice(0, end === -1 ? chosen.length : Math.max(1, end));
    say(`\n== ${together.map((part) => part.name).join(' and ')}`);
    // One at a time prints as it goes; several would mix their lines, so each prints once it has ended.
    const ended = await Promise.all(
      together.map(async (part) => {
        const held = [];
        const isAlone = together.length === 1;
        const measured = await measure(part, (text) =>
          isAlone ? process.stdout.write(text) : held.push(text),
        );
        if (held.length > 0) say(held.join(''));
        return measured;
      }),
    );
    for (const { part, result, took } of ended) {
      totals.passed += result.passed;
      totals.failed += result.failed;
      left.push(...result.skipped.map((title) => `${part.name}: ${title}`));
      const problems = result.problems.map((problem) => `; ${problem}`).join('');
      failures.push(...result.failures.map((title) => `${part.name}: ${title}`));
      lines.push(`${part.name}: ${result.passed} passed, ${result.failed} failed in ${took} s${problems}`);
      say(lines.at(-1));
    }
  }
} finally {
  rmSync(temp, { recursive: true, force: true });
}

say('\n== summary');
for (const line of lines) say(line);
for (const title of failures) say(`failed: ${title}`);
for (const name of left) say(`skipped: ${name}`);
process.exitCode = totals.failed > 0 || totals.passed === 0 ? 1 : 0;
say(`${totals.passed} passed, ${totals.failed} failed`);
