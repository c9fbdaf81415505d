import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bubblewrapArguments } from '../../../../src-main/adapters/test-runner/sandbox-arguments.ts';
import { sandboxExecProfile } from '../../../../src-main/adapters/test-runner/sandbox-exec-profile.ts';
import { isWithin, planSandbox } from '../../../../src-main/adapters/test-runner/sandbox-plan.ts';
import type { SandboxFacts } from '../../../../src-main/adapters/test-runner/sandbox-plan.ts';

const HOME = '/home/ada';
const DATA = `${HOME}/.local/state/signalbox`;
const TREE = `${DATA}/trees/prj_1/tsk_1`;
const facts = (more: Partial<SandboxFacts> = {}): SandboxFacts => ({
  tree: TREE,
  gitPointer: `${TREE}/.git`,
  homes: [HOME],
  dataFolder: DATA,
  runtimeFolder: '/run/user/1000',
  emptied: ['/tmp', '/var/tmp', '/run'],
  pathFolders: ['/usr/bin'],
  reads: [],
  resolver: null,
  credentialFolders: [],
  credentialFiles: [],
  sockets: [],
  emptyFile: `${DATA}/empty-file`,
  allowNetwork: false,
  ...more,
});

test('the arguments of bubblewrap for an ordinary project are exactly these', () => {
  expect(
    bubblewrapArguments(
      planSandbox(
        facts({
          pathFolders: [`${HOME}/.cargo/bin`, '/usr/bin', HOME],
          reads: [`${HOME}/.pyenv`, '/opt/tools', `${HOME}/.cargo`],
          credentialFiles: [`${HOME}/.cargo/credentials.toml`, `${HOME}/.netrc`],
          sockets: ['/run/docker.sock', '/var/lib/x.sock', `${TREE}/own.sock`],
        }),
      ),
    ),
  ).toEqual([
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'mtrr'].flatMap((name) => [
      ...['--ro-bind-try', `/proc/${name}`, `/proc/${name}`],
    ]),
    ...['--tmpfs', '/run', '--tmpfs', '/tmp', '--tmpfs', '/var/tmp', '--tmpfs', HOME],
    ...['--ro-bind', `${HOME}/.pyenv`, `${HOME}/.pyenv`, '--ro-bind', `${HOME}/.cargo`, `${HOME}/.cargo`],
    ...['--ro-bind', `${DATA}/empty-file`, `${HOME}/.cargo/credentials.toml`],
    ...['--ro-bind', '/dev/null', '/var/lib/x.sock'],
    ...['--bind', TREE, TREE, '--ro-bind', `${TREE}/.git`, `${TREE}/.git`],
    ...['--unshare-all', '--unshare-pid', '--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL', '--chdir', TREE],
  ]);
});

test('both homes are hidden with their credentials, whichever lies in the other', () => {
  for (const homes of [
    [HOME, '/root'],
    ['/root/ada', '/root'],
  ]) {
    const { empty, hiddenFiles } = planSandbox(
      facts({
        homes,
        reads: homes.map((home) => `${home}/.cargo`),
        credentialFiles: homes.map((home) => `${home}/.cargo/credentials.toml`),
      }),
    );
    expect(empty).toEqual(expect.arrayContaining(homes));
    expect(hiddenFiles.map((file) => file.path).toSorted()).toEqual(
      homes.map((home) => `${home}/.cargo/credentials.toml`).toSorted(),
    );
  }
});

test('only an allowed network is shared, with the file that resolves names', () => {
  const resolver = '/run/systemd/resolve/stub-resolv.conf';
  const shared = bubblewrapArguments(planSandbox(facts({ allowNetwork: true, resolver })));
  const own = bubblewrapArguments(planSandbox(facts({ resolver })));
  expect([shared.includes('--share-net'), own.includes('--share-net')]).toEqual([true, false]);
  expect([shared.includes(resolver), own.includes(resolver)]).toEqual([true, false]);
});

test('a folder of reads that holds the data folder, the runtime folder or HOME brings none of it back', () => {
  const plan = planSandbox(
    facts({
      reads: [HOME, '/home', '/run'],
      credentialFolders: [`${HOME}/.ssh`],
      sockets: ['/run/docker.sock'],
    }),
  );
  expect(plan.hiddenFolders).toEqual(['/run/user/1000', `${HOME}/.ssh`, DATA]);
  expect(plan.hiddenFiles).toEqual([{ path: '/run/docker.sock', behind: '/dev/null' }]);
});

test('a data folder outside HOME is hidden', () => {
  const plan = planSandbox(
    facts({ dataFolder: '/srv/signalbox', tree: '/srv/signalbox/trees/t', gitPointer: null }),
  );
  expect(plan.hiddenFolders).toEqual(['/srv/signalbox']);
});

test('HOME on PATH does not bring back HOME, nor does a temporary folder as a whole', () => {
  expect(planSandbox(facts({ pathFolders: [HOME, '/home', '/', '/tmp', '/tmp/tools'] })).reads).toEqual([
    '/tmp/tools',
  ]);
});

describe('whatever the machine looks like', () => {
  const name = fc.constantFrom('a', 'b', 'home', '.x', 'run');
  const anyPath = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  const paths = fc.array(anyPath, { maxLength: 4 });
  const socketPaths = fc.array(
    anyPath.map((folder) => `${folder}/s.sock`),
    { maxLength: 4 },
  );
  /** What lies over a path in the end, by replaying the arguments. */
  const seen = (args: readonly string[], target: string): string => {
    let state = 'read-only';
    for (let at = 0; at < args.length; at += 1) {
      const [flag, first = '', second = ''] = args.slice(at, at + 3);
      const dest = flag === '--tmpfs' ? first : second;
      if (flag === '--tmpfs' && isWithin(dest, target)) state = 'empty';
      if (flag === '--ro-bind' && isWithin(dest, target)) state = first === second ? 'read-only' : 'covered';
      if (flag === '--bind' && isWithin(dest, target)) state = 'writable';
    }
    return state;
  };

  test('the tree is writable, and data folder, sockets and unread HOME are not visible', () => {
    fc.assert(
      fc.property(
        fc.record({
          home: anyPath,
          data: anyPath,
          reads: paths,
          path: paths,
          sockets: socketPaths,
          runtime: anyPath,
        }),
        ({ home, data, reads, path, sockets, runtime }) => {
          const tree = `${data}/trees/t`;
          const args = bubblewrapArguments(
            planSandbox(
              facts({
                tree,
                gitPointer: null,
                homes: [home],
                dataFolder: data,
                runtimeFolder: runtime,
                reads,
                pathFolders: path,
                sockets,
              }),
            ),
          );
          expect(seen(args, `${tree}/src`)).toBe('writable');
          expect(seen(args, `${data}/signalbox.db`)).toBe('empty');
          for (const socket of sockets) expect(['empty', 'covered']).toContain(seen(args, socket));
          const secret = `${home}/secret`;
          if (!reads.some((read) => isWithin(read, secret))) {
            const isOnPath = path.some(
              (folder) => isWithin(folder, secret) && folder !== home && isWithin(home, folder),
            );
            if (!isOnPath) expect(seen(args, secret)).toBe('empty');
          }
        },
      ),
      { numRuns: 1500 },
    );
  }, 60_000);
});

test('the profile for macOS denies first and allows the tree last', () => {
  const plan = planSandbox(
    facts({
      tree: '/Users/ada/T "x"\\',
      gitPointer: null,
      homes: ['/Users/ada'],
      dataFolder: null,
      emptied: [],
      runtimeFolder: null,
    }),
  );
  expect(sandboxExecProfile(plan, '/private/tmp/run').split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(deny file-read* (subpath "/Users/ada"))',
    '(allow file-read-metadata)',
    '(deny network*)',
    '(allow network* (local ip "localhost:*"))',
    '(allow network-outbound (remote ip "localhost:*"))',
    '(allow file-read* file-write* (subpath "/Users/ada/T \\"x\\"\\\\") (subpath "/private/tmp/run"))',
    '(allow network* (subpath "/Users/ada/T \\"x\\"\\\\") (subpath "/private/tmp/run"))',
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper") (literal "/dev/tty"))',
    '(deny mach-lookup (global-name "com.apple.SecurityServer") (global-name "com.apple.securityd.xpc"))',
    '(deny appleevent-send)',
    '',
  ]);
});
