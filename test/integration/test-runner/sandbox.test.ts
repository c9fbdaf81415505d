import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { seconds } from '../../../src-shared/time.ts';
import { pidsWithMark } from '../../support/proc.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { isExcused, makeRunnerWorld, type RunnerWorld, type RunnerWorldOptions } from './runner-world.ts';

let world: RunnerWorld;
const open = async (options: RunnerWorldOptions = {}): Promise<RunnerWorld> => {
  world = await makeRunnerWorld(options);
  return world;
};
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const isExpected = !isExcused('sandbox');

test('bubblewrap works here, or the person said that it does not', async () => {
  await open();
  const { kind, problem } = await world.runner.confinement();
  if (isExpected) {
    expect(kind, `Install the package bubblewrap, or set SIGNALBOX_TEST_SKIP=sandbox. ${problem ?? ''}`).toBe(
      'bubblewrap',
    );
  } else {
    expect(['bubblewrap', 'none']).toContain(kind);
  }
});

describe.runIf(isExpected)('what a test run can do', () => {
  beforeAll(() => {
    expect(process.platform, 'The sandbox of this suite is bubblewrap, on Linux.').toBe('linux');
  });

  test('the tree is writable, and what is written stays', async () => {
    await open();
    const outcome = await world.sh('pwd && echo made > made.txt');
    expect(outcome).toMatchObject({
      kind: 'exited',
      exitCode: 0,
      confinement: 'bubblewrap',
      tail: `${world.tree}\n`,
    });
    expect(readFileSync(path.join(world.tree, 'made.txt'), 'utf8')).toBe('made\n');
  });

  test('/etc, the pointer to the repository and settings of the machine cannot be written', async () => {
    await open();
    const files = [
      '/etc/signalbox-was-here',
      '.git',
      '/proc/sys/kernel/hostname',
      '/usr/x',
      '/dev/x',
      '/sys/x',
    ];
    const script = files.map(
      (file) => `(echo bad > ${file}) 2>/dev/null && echo WRITTEN ${file}; rm -f .git && echo GONE;`,
    );
    expect(
      await world.output(`${script.join(' ')} true`).then((text) => text.replace(/rm: .*\n/g, '')),
    ).toMatch(
      // An empty /dev of the sandbox's own is writable and goes with it.
      /^(?:WRITTEN \/dev\/x\n)?$/,
    );
    expect(readFileSync(path.join(world.tree, '.git'), 'utf8')).toBe('gitdir: /nowhere\n');
    expect([existsSync('/etc/signalbox-was-here'), existsSync('/usr/x'), existsSync('/dev/x')]).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('no capability is left, also when the hub is root', async () => {
    await open();
    expect(
      await world.output("grep -E '^Cap(Eff|Prm|Bnd|Inh|Amb)' /proc/self/status | cut -f2 | sort -u"),
    ).toBe('0000000000000000\n');
  });

  test('HOME is an empty folder, and the data folder is hidden except the tree', async () => {
    await open();
    writeFileSync(path.join(world.home, '.netrc'), 'secret');
    const other = path.join(world.data, 'trees', 'prj_1', 'tsk_2');
    mkdirSync(other);
    const script = `ls -A "$HOME"; ls -A ${world.data} ${path.dirname(world.tree)}; ls ${other} 2>/dev/null; true`;
    expect(await world.output(script)).toBe(`${world.data}:\ntrees\n\n${path.dirname(world.tree)}:\ntsk_1\n`);
  });

  test('the home of the account is hidden too when HOME is another one', async () => {
    // Not among the temporary folders, which are empty anyway.
    const accountHome = path.resolve('.cache', `account-home-${process.pid}`);
    try {
      for (const name of ['.ssh', '.tool']) mkdirSync(path.join(accountHome, name), { recursive: true });
      writeFileSync(path.join(accountHome, '.ssh/id_ed25519'), 'secret');
      writeFileSync(path.join(accountHome, '.tool/word'), 'good day\n');
      await open({ accountHome });
      const look = `ls -A ${accountHome}; ls -A "$HOME"; cat ${accountHome}/.ssh/id_ed25519 2>/dev/null; echo end`;
      expect(await world.output(look)).toBe('end\n');
      const sandboxRead = [path.join(accountHome, '.tool')];
      expect(await world.output(`cat ${accountHome}/.tool/word`, { sandboxRead })).toBe('good day\n');
    } finally {
      rmSync(accountHome, { recursive: true, force: true });
    }
  });

  test('temporary folders are its own', async () => {
    await open();
    const name = `signalbox-test-${process.pid}`;
    expect(await world.output(`echo x > /tmp/${name} && ls /var/tmp && echo $TMPDIR`)).toBe('/tmp\n');
    expect(existsSync(path.join('/tmp', name))).toBe(false);
  });

  test('folders of PATH in HOME and sandbox_read are there, read-only; credentials in them are not', async () => {
    await open({ env: (folder) => ({ PATH: `${folder}/home/bin:/usr/bin:/bin` }) });
    const home = world.home;
    for (const name of ['bin', '.tool/lib', '.cargo']) mkdirSync(path.join(home, name), { recursive: true });
    writeFileSync(path.join(home, 'bin', 'hello'), '#!/bin/sh\ncat ~/.tool/lib/word\n', { mode: 0o755 });
    writeFileSync(path.join(home, '.tool/lib/word'), 'good day\n');
    writeFileSync(path.join(home, '.cargo/credentials.toml'), 'token');
    const script =
      'hello; (echo x > ~/bin/hello) 2>/dev/null || echo read-only; cat ~/.cargo/credentials.toml 2>&1; ls -A ~';
    expect(await world.output(script, { sandboxRead: ['~/.tool', '~/.cargo'] })).toBe(
      'good day\nread-only\n.cargo\n.tool\nbin\n',
    );
  });

  test('reading HOME itself brings back neither the data folder nor credentials', async () => {
    await open();
    mkdirSync(path.join(world.home, '.ssh'));
    writeFileSync(path.join(world.home, '.ssh/id_ed25519'), 'key');
    const all = path.dirname(world.home);
    const script = `ls -A ${world.home}/.ssh; cat ${world.data}/signalbox.db 2>/dev/null; echo end`;
    expect(await world.output(script, { sandboxRead: [all, '~'] })).toBe('end\n');
  });

  test('the network is gone: not even a listener on the loopback of the host is reached', async () => {
    await open();
    const server = net.createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    const connect = `const s=require('net').connect(${port},'127.0.0.1');s.on('data',(d)=>console.log(String(d))).on('error',(e)=>console.log(e.code))`;
    try {
      expect(await world.run(['node', '-e', connect])).toMatchObject({ exitCode: 0, tail: 'ECONNREFUSED\n' });
      expect(await world.run(['node', '-e', connect], { allowNetwork: true })).toMatchObject({
        exitCode: 0,
        tail: 'reached\n',
      });
    } finally {
      server.close();
    }
  });

  /** How each variable writes the path of its socket, and where such a socket usually lies. */
  const SOCKETS: readonly (readonly [string, string, (file: string) => string])[] = [
    ['SSH_AUTH_SOCK', 'outside/agent.1', (file) => file],
    ['DBUS_SESSION_BUS_ADDRESS', 'outside/bus', (file) => `unix:path=${file},guid=0123abcd`],
    ['DOCKER_HOST', 'outside/docker.sock', (file) => `unix://${file}`],
    ['CONTAINER_HOST', 'outside/podman.sock', (file) => `unix://${file}`],
    ['WAYLAND_DISPLAY', 'run/wayland-7', (file) => path.basename(file)],
    ['PULSE_SERVER', 'outside/pulse', (file) => `{0123}unix:${file}`],
    ['TMUX', 'outside/tmux-0', (file) => `${file},123,0`],
    ['SESSION_MANAGER', 'outside/ice', (file) => `local/host:@${file},unix/host:${file}`],
    ['MY_OWN_SERVICE', 'outside/own.sock', (file) => file],
    ['NOT_NAMED_AT_ALL', 'outside/unnamed.sock', () => 'nothing'],
    ['GNUPGHOME', 'gnupg/S.gpg-agent', (file) => path.dirname(file)],
    ['XDG_RUNTIME_DIR', 'run/systemd', (file) => path.dirname(file)],
  ];

  test.each(SOCKETS)(
    'a listener as %s names it is unreachable, also where its folder is readable',
    async (name, where, value) => {
      await open({
        env: (folder) => ({
          XDG_RUNTIME_DIR: `${folder}/run`,
          [name]: value(path.join(folder, where)),
        }),
      });
      const { folder } = world.processes;
      const file = folder.join(where);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      const server = net.createServer((socket) => socket.end('reached')).listen(file);
      await new Promise((resolve) => server.once('listening', resolve));
      const connect = `const s=require('net').connect(${JSON.stringify(file)});s.on('data',(d)=>console.log(String(d))).on('error',()=>console.log('unreachable', ${JSON.stringify(name)} in process.env))`;
      const request = { environmentNames: [name], sandboxRead: [folder.path], allowNetwork: true };
      try {
        const isPassed = name === 'NOT_NAMED_AT_ALL';
        expect(await world.run(['node', '-e', connect], request)).toMatchObject({
          exitCode: 0,
          tail: `unreachable ${isPassed}\n`,
        });
      } finally {
        server.close();
      }
    },
  );

  test('the environment is the allowlist, with the owner mark', async () => {
    await open({ env: () => ({ ANTHROPIC_API_KEY: 'secret', AWS_SECRET_ACCESS_KEY: 'secret', FOO: 'bar' }) });
    const names = await world.output('env | cut -d= -f1 | sort', {
      environmentNames: ['FOO', 'ANTHROPIC_API_KEY'],
    });
    expect(
      names
        .trim()
        .split('\n')
        .filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
    ).toEqual(['FOO', 'HOME', 'LANG', 'PATH', 'SIGNALBOX_OWNER', 'TMPDIR']);
  });
});

describe.runIf(isExpected)('how a run ends', () => {
  test('a daemon that a test leaves behind is gone when the run has ended', async () => {
    await open();
    const outcome = await world.sh(
      'setsid sh -c "trap \'\' TERM HUP; sleep 600" >/dev/null 2>&1 & echo started',
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, tail: 'started\n' });
    expect(pidsWithMark(`${world.processes.hub}:att_run`)).toEqual([]);
  });

  test('the time limit ends the whole tree, and what was written so far is kept', async () => {
    await open();
    const outcome = await world.sh('trap "" TERM; echo begun; (setsid sleep 600 &) ; sleep 600', {
      timeout: seconds(1),
    });
    expect(outcome).toMatchObject({ kind: 'timed-out', confinement: 'bubblewrap', tail: 'begun\n' });
    expect(pidsWithMark(`${world.processes.hub}:att_run`)).toEqual([]);
  });

  test('a stop ends it as stopped; the caller was told the process before', async () => {
    await open();
    const told: number[] = [];
    const running = world.runner.start(
      world.request(['sh', '-c', 'echo > ready; sleep 600'], { started: ({ pid }) => told.push(pid) }),
    );
    await waitUntil('the command runs', () => existsSync(path.join(world.tree, 'ready')));
    await running.stop();
    expect(await running.outcome).toEqual({ kind: 'stopped' });
    expect([told.length, pidsWithMark(`${world.processes.hub}:att_run`)]).toEqual([1, []]);
  });

  test('a stop before anything runs starts nothing', async () => {
    await open();
    const running = world.runner.start(world.request(['sh', '-c', 'echo > ready']));
    await running.stop();
    expect([await running.outcome, existsSync(path.join(world.tree, 'ready'))]).toEqual([
      { kind: 'stopped' },
      false,
    ]);
  });

  test('a flood of output is cut, counted and leaves the end readable', async () => {
    await open();
    const outcome = await world.sh('head -c 70000000 /dev/zero | tr "\\0" "a"; echo; echo the end; exit 3');
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 3, outputBytes: 70_000_009 });
    if (outcome.kind !== 'exited') return;
    expect(outcome.tail).toBe('the end\n');
    const kept = (await world.artifacts.read(outcome.outputHash)) ?? '';
    expect(kept.length).toBeLessThan(51_000_000);
    expect(kept).toContain('bytes of output were left out here');
  });

  test('bytes that are no text become text', async () => {
    await open();
    expect(await world.output("printf 'a\\377\\300b\\n'")).toBe('a\ufffd\ufffdb\n');
  });

  test('a callback that fails to record the process ends it', async () => {
    await open();
    const failing = world.runner.start(
      world.request(['sh', '-c', 'sleep 600'], {
        started: () => {
          throw new Error('disk full');
        },
      }),
    );
    await expect(failing.outcome).rejects.toThrow('disk full');
    expect(pidsWithMark(`${world.processes.hub}:att_run`)).toEqual([]);
  });
});

describe.runIf(isExpected)('programs', () => {
  test('a program that is nowhere is refused before anything runs', async () => {
    await open();
    expect(await world.run(['no-such-program'])).toMatchObject({
      kind: 'refused',
      code: 'executable-not-found',
    });
  });

  test('a program that only the checkout of the person has is refused with the command that shares it', async () => {
    await open();
    const root = path.join(world.home, 'shop');
    for (const [folder, name] of [
      [root, 'tools/.venv/bin/python'],
      [world.tree, 'tools/own.txt'],
    ] as const) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), '', { mode: 0o755 });
    }
    const checkout = { root, share: ['.env'] };
    const hint = async (command: string): Promise<string> => {
      const outcome = await world.run([command], { checkout });
      return outcome.kind === 'refused' ? outcome.hint : outcome.kind;
    };
    expect(await hint('./tools/.venv/bin/python')).toContain(
      `signalbox project set shop share='[".env","tools/.venv"]'`,
    );
    for (const other of ['tools/.venv/bin/other', '../shop/tools/.venv/bin/python', 'no-such-program']) {
      expect(await hint(other)).toContain('Install it');
    }
  });

  test.each([
    { command: ['true'], exitCode: 0 },
    { command: ['false'], exitCode: 1 },
    { command: ['test', '-f', '.git'], exitCode: 0 },
    { command: ['[', '-f', 'no-such-file', ']'], exitCode: 1 },
    { command: ['echo', 'a', 'b'], exitCode: 0 },
    { command: ['printf', 'x'], exitCode: 0 },
    { command: ['pwd'], exitCode: 0 },
  ])('a word of the shell runs as the program of that name: $command', async ({ command, exitCode }) => {
    await open();
    expect(await world.run(command)).toMatchObject({ kind: 'exited', exitCode, confinement: 'bubblewrap' });
  });

  test('a word that only a shell knows runs by shell=true, and is refused with that advice else', async () => {
    await open();
    const refusal = await world.run([':'], { project: 'my shop' });
    expect(refusal).toMatchObject({ kind: 'refused', code: 'executable-not-found' });
    expect(refusal).toHaveProperty('hint', expect.stringContaining("project set 'my shop' shell=true"));
    expect(await world.run([': && exit 3'], { shell: true })).toMatchObject({ kind: 'exited', exitCode: 3 });
  });

  test('a program of the tree is found by its path', async () => {
    await open();
    world.write('check.sh', '#!/bin/sh\necho checked\n');
    chmodSync(path.join(world.tree, 'check.sh'), 0o755);
    expect(await world.run(['./check.sh'])).toMatchObject({ kind: 'exited', tail: 'checked\n' });
  });

  test('the advice names the project and keeps what is readable already', async () => {
    await open({ env: (folder) => ({ PATH: `${folder}/home/link:/usr/bin:/bin` }) });
    for (const folder of ['link', '.own', '.tool']) mkdirSync(path.join(world.home, folder));
    writeFileSync(path.join(world.home, '.own/hello'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync(path.join(world.home, '.own/hello'), path.join(world.home, 'link/hello'));
    expect(await world.run(['hello'], { sandboxRead: ['~/.tool'] })).toHaveProperty(
      'hint',
      `Make it readable there: signalbox project set shop sandboxRead='["~/.tool","~/.own"]'`,
    );
  });

  test('a program whose link leads into the hidden HOME is refused with the entry that mends it', async () => {
    await open({ env: (folder) => ({ PATH: `${folder}/home/.local/bin:/usr/bin:/bin` }) });
    const bin = path.join(world.home, '.local/bin');
    const real = path.join(world.home, '.local/share/pipx/venvs/tool/bin');
    for (const folder of [bin, real]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(real, 'tool'), '#!/bin/sh\necho works\n', { mode: 0o755 });
    symlinkSync(path.join(real, 'tool'), path.join(bin, 'tool'));
    expect(readlinkSync(path.join(bin, 'tool'))).toBe(path.join(real, 'tool'));
    const outcome = await world.run(['tool']);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'executable-differs' });
    expect(outcome).toHaveProperty('hint', expect.stringContaining('["~/.local/share/pipx"]'));
    expect(await world.run(['tool'], { sandboxRead: ['~/.local/share/pipx'] })).toMatchObject({
      tail: 'works\n',
    });
  });

  test('another program of the same name further down on PATH is not taken for it', async () => {
    await open({ env: (folder) => ({ PATH: `${folder}/home/link:/usr/bin:/bin` }) });
    mkdirSync(path.join(world.home, '.own'));
    writeFileSync(path.join(world.home, '.own/true'), '#!/bin/sh\n', { mode: 0o755 });
    mkdirSync(path.join(world.home, 'link'));
    symlinkSync(path.join(world.home, '.own/true'), path.join(world.home, 'link/true'));
    expect(await world.run(['true'])).toMatchObject({ kind: 'refused', code: 'executable-differs' });
  });

  test('a Node project with a lock file runs its tests', async () => {
    await open();
    world.write('package.json', '{"name":"p","version":"1.0.0","scripts":{"test":"node --test"}}');
    world.write(
      'package-lock.json',
      '{"name":"p","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"p","version":"1.0.0"}}}',
    );
    world.write(
      'sum.test.js',
      "const test=require('node:test');const assert=require('node:assert');test('sums',()=>assert.equal(1+2,3));\n",
    );
    expect(await world.run(['npm', 'ci', '--offline'], { purpose: 'setup' })).toMatchObject({ exitCode: 0 });
    const outcome = await world.run(['npm', 'test']);
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, confinement: 'bubblewrap' });
    expect(outcome).toHaveProperty('tail', expect.stringMatching(/pass 1/));
  });

  test('a Python project runs its unit tests, with the python of this machine', async () => {
    const home = os.homedir();
    const inherited = process.env['PATH'] ?? '';
    await open({ home, env: () => ({ PATH: inherited, HOME: home }) });
    world.write(
      'test_sum.py',
      'import unittest\n\nclass Sums(unittest.TestCase):\n    def test_sum(self):\n        self.assertEqual(sum([1, 2]), 3)\n',
    );
    const command = ['python3', '-m', 'unittest', '-v'];
    const first = await world.run(command);
    // A python that a version manager starts says what it needs.
    const read = first.kind === 'refused' ? /\["([^"]+)"\]/.exec(first.hint)?.[1] : undefined;
    const outcome = read === undefined ? first : await world.run(command, { sandboxRead: [read] });
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(outcome).toHaveProperty('tail', expect.stringContaining('Ran 1 test'));
  });
});

describe('without a sandbox', () => {
  const hiddenBwrap = { env: (folder: string) => ({ PATH: `${folder}/only` }) };

  test('a project without consent is refused with what to do, and nothing runs', async () => {
    await open(hiddenBwrap);
    const outcome = await world.run(['/bin/sh', '-c', 'echo > ready']);
    expect(outcome).toMatchObject({ kind: 'refused', code: 'sandbox-unavailable' });
    expect(existsSync(path.join(world.tree, 'ready'))).toBe(false);
  });

  test('with the recorded consent it runs, says so, and its leftovers are ended', async () => {
    await open(hiddenBwrap);
    const outcome = await world.run(['/bin/sh', '-c', '/usr/bin/setsid /bin/sleep 600 & echo ran'], {
      allowUnconfined: true,
    });
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, confinement: 'none', tail: 'ran\n' });
    expect(pidsWithMark(`${world.processes.hub}:att_run`)).toEqual([]);
  });
});
