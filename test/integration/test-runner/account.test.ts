import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seconds } from '../../../src-shared/time.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { isExcused, makeRunnerWorld, type RunnerWorld } from './runner-world.ts';

const isRoot = process.geteuid?.() === 0;
const AGENT = `sbx-agent-${process.pid}`;
const PERSON = `sbx-person-${process.pid}`;
const SUDOERS = `/etc/sudoers.d/${PERSON}`;

const system = (file: string, ...args: readonly string[]): string =>
  execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
/** Processes of an account, without zombies: they have ended and wait for their parent. */
const livingOf = (name: string): readonly string[] => {
  try {
    const lines = system('ps', '-o', 'state=,pid=,args=', '-u', name).split('\n');
    return lines.filter((line) => line.trim() !== '' && !line.startsWith('Z'));
  } catch {
    // ps ends with 1 when it lists nothing.
    return [];
  }
};

test('this suite runs as root, which makes accounts, or the person said that it does not', () => {
  if (isExcused('account')) return expect(isExcused('account')).toBe(true);
  expect(isRoot, 'Run the tests as root in a container, or set SIGNALBOX_TEST_SKIP=account.').toBe(true);
  for (const tool of ['useradd', 'setfacl', 'sudo', 'ps']) {
    expect(() => system('sh', '-c', `command -v ${tool}`), `Install the package with ${tool}.`).not.toThrow();
  }
});

describe.runIf(isRoot && !isExcused('account'))('the agent account', () => {
  let world: RunnerWorld;
  beforeAll(() => {
    for (const name of [AGENT, PERSON])
      system('useradd', '--system', '--no-create-home', '--shell', '/bin/sh', name);
    writeFileSync(SUDOERS, `${PERSON} ALL=(${AGENT}) NOPASSWD: ALL\n`, { mode: 0o440 });
  });
  afterAll(() => {
    rmSync(SUDOERS, { force: true });
    for (const name of [AGENT, PERSON]) system('userdel', name);
  });
  beforeEach(async () => {
    world = await makeRunnerWorld();
  });
  afterEach(async () => {
    await world.runner.reapAccount(AGENT);
    await world[Symbol.asyncDispose]();
  });

  const asAgent = { account: AGENT } as const;
  const uidOf = (name: string): number => Number(system('id', '-u', name));
  /** Every ACL entry for a named user in the tree and in the folders above it, and who owns what. */
  const traces = (): readonly string[] => {
    const parents = [path.dirname(world.tree), world.data, world.processes.folder.path];
    const acls =
      system('getfacl', '-R', '-P', '-n', '-p', world.tree) + system('getfacl', '-n', '-p', ...parents);
    const owners = system('find', world.processes.folder.path, '-user', AGENT, '-printf', '%p\n');
    return [
      ...acls.split('\n').filter((line) => /^(default:)?user:\d/.test(line)),
      ...owners.split('\n').filter(Boolean),
    ];
  };

  test('an account is refused that does not exist, is root, or has no possible name', async () => {
    const { runner } = world;
    expect(await runner.checkAccount(AGENT)).toBeNull();
    expect(await runner.checkAccount('no-such-account')).toMatch(/There is no account/);
    expect(await runner.checkAccount('root')).toMatch(/is root/);
    expect(await runner.checkAccount('-u')).toMatch(/There is no account/);
    expect(await world.sh('true', { account: 'root' })).toMatchObject({
      kind: 'refused',
      code: 'account-unusable',
    });
    expect(await runner.reapAccount('root')).toBe(false);
  });

  test('tests run as the account, write in the tree, and see no HOME and no data folder', async () => {
    world.write('src/given.txt', 'given');
    const script = [
      'id -un; cat src/given.txt; echo; echo more >> src/given.txt; mkdir -m 700 made; echo x > made/file',
      'ln -s /etc/passwd made/link; chmod 600 made/file; ls -A "$HOME"',
      `cat ${world.data}/signalbox.db 2>/dev/null || echo hidden`,
    ];
    expect(await world.sh(script.join('; '), asAgent)).toMatchObject({
      kind: 'exited',
      exitCode: 0,
      confinement: 'account',
      tail: `${AGENT}\ngiven\nhidden\n`,
    });
    expect(readFileSync(path.join(world.tree, 'src/given.txt'), 'utf8')).toBe('givenmore\n');
    expect(readFileSync(path.join(world.tree, 'made/file'), 'utf8')).toBe('x\n');
    expect(traces()).toEqual([]);
    expect((statSync(world.data).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(world.processes.folder.path).mode & 0o777).toString(8)).toBe('700');
    expect((statSync(world.tree).mode & 0o777).toString(8)).toBe('700');
    expect(lstatSync('/etc/passwd').uid).toBe(0);
  });

  test('a set-user-id file that the account makes does not become one of the hub', async () => {
    await world.output('cp /bin/sh ./sh && chmod 6755 sh', asAgent);
    const stat = statSync(path.join(world.tree, 'sh'));
    expect([stat.uid, (stat.mode & 0o7777).toString(8)]).toEqual([0, '705']);
  });

  test('after the run the account has no way in', async () => {
    await world.output('true', asAgent);
    expect(() => system('setpriv', '--reuid', AGENT, '--clear-groups', 'ls', world.tree)).toThrow(
      /Permission denied/,
    );
  });

  test('what the account leaves running is ended, however it tries to stay', async () => {
    const outcome = await world.sh(
      'setsid sh -c "trap \'\' TERM HUP INT; sleep 600 & sleep 600" & echo begun',
      asAgent,
    );
    expect(outcome).toMatchObject({ kind: 'exited', tail: 'begun\n' });
    expect(livingOf(AGENT)).toEqual([]);
  });

  test('the account is reaped whatever it forks', async () => {
    system(
      'setpriv',
      '--reuid',
      AGENT,
      '--clear-groups',
      'sh',
      '-c',
      'for i in 1 2 3; do setsid sleep 600 >/dev/null 2>&1 & done',
    );
    expect(livingOf(AGENT)).not.toEqual([]);
    expect(await world.runner.reapAccount(AGENT)).toBe(true);
    expect(livingOf(AGENT)).toEqual([]);
  });

  test('after a crash the next start reaps the account and takes the grant back', async () => {
    const running = world.runner.start(
      world.request(['sh', '-c', 'mkdir kept; echo > ready; sleep 600'], asAgent),
    );
    await waitUntil('the command runs', () => existsSync(path.join(world.tree, 'ready')));
    expect(traces()).not.toEqual([]);
    // Another runner, as after a restart; it knows the tree and the account from the store.
    const next = await makeRunnerWorld();
    try {
      expect(await next.runner.reapAccount(AGENT)).toBe(true);
      await next.runner.revokeGrants([world.tree, `${world.tree}-gone`], AGENT);
      expect(traces()).toEqual([]);
      expect(statSync(path.join(world.tree, 'kept')).uid).toBe(0);
      await next.runner.revokeGrants([world.tree], AGENT);
    } finally {
      await next[Symbol.asyncDispose]();
    }
    await running.outcome;
  });

  test('a run under the account stops and times out like any other', async () => {
    expect(await world.sh('trap "" TERM; sleep 600', { ...asAgent, timeout: seconds(1) })).toMatchObject({
      kind: 'timed-out',
      confinement: 'account',
    });
    expect([livingOf(AGENT), traces()]).toEqual([[], []]);
  });

  test('without bubblewrap the account alone is the fence, with an empty HOME of its own', async () => {
    const bin = path.join(world.processes.folder.path, 'only');
    mkdirSync(bin);
    chmodSync(world.processes.folder.path, 0o755);
    for (const tool of [
      'id',
      'setfacl',
      'getfacl',
      'mktemp',
      'rm',
      'kill',
      'ls',
      'cat',
      'sh',
      'pwd',
      'test',
      'readlink',
    ]) {
      symlinkSync(
        system('sh', '-c', `command -v ${tool} || echo /bin/${tool}`)
          .trim()
          .replace(/^(?!\/)/, '/usr/bin/'),
        path.join(bin, tool),
      );
    }
    await using plain = await makeRunnerWorld({ env: () => ({ PATH: bin }) });
    const outcome = await plain.sh(
      'id -un; ls -A "$HOME"; pwd; cat ../../../signalbox.db 2>/dev/null || echo hidden; test -d "$HOME" && echo "$HOME"',
      asAgent,
    );
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: 'exited', confinement: 'account' });
    const [name, cwd, data, home = ''] = outcome.kind === 'exited' ? outcome.tail.trim().split('\n') : [];
    expect([name, cwd, data]).toEqual([AGENT, plain.tree, 'hidden']);
    expect(home).toMatch(/^\/tmp\/signalbox-home-/);
    expect(existsSync(home)).toBe(false);
  });

  test('an ordinary person does all of it by sudo', async () => {
    const file = path.join(import.meta.dirname, 'as-person-main.ts');
    const { uid, gid } = { uid: uidOf(PERSON), gid: Number(system('id', '-g', PERSON)) };
    const said = execFileSync(process.execPath, [file, AGENT], {
      uid,
      gid,
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/nonexistent' },
    });
    expect(JSON.parse(said)).toEqual({
      check: null,
      checkSelf: true,
      checkForbidden: true,
      ran: { kind: 'exited', exitCode: 0, confinement: 'account', tail: `${AGENT}\nquoted: it's\nhidden\n` },
      owners: [uid],
      madeFile: 'x\n',
      madeLink: '/etc/passwd',
      acls: [],
      timedOut: 'timed-out',
      leftovers: true,
    });
    expect(livingOf(AGENT)).toEqual([]);
  });
});
