import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gitEnvironment } from '../../support/sample-repositories.ts';
import { makeWorkspaceWorld, put, read } from '../../support/workspace-world.ts';

/** What an agent may try inside its tree. Each is refused with its rule, and nothing is committed. */
const violation = (rule: string, place: unknown = expect.any(String)) => ({
  kind: 'violations',
  violations: expect.arrayContaining([{ rule, place }]) as unknown,
});

test.each([
  ['../outside.txt', 'outside-tree'],
  ['/etc/hostname', 'outside-tree'],
  ['C:\\Windows\\x', 'outside-tree'],
  ['a/../../outside.txt', 'outside-tree'],
  ['..\\outside.txt', 'outside-tree'],
  ['', 'outside-tree'],
  ['.git', 'forbidden-path'],
  ['.GIT/config', 'forbidden-path'],
  ['.claude/settings.json', 'forbidden-path'],
  ['link/inside.txt', 'link-leads-outside'],
])('a request to remove or rename %j is refused as %s', async (place, rule) => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const outside = world.folder.join('outside');
  put(outside, 'inside.txt', 'keep\n');
  put(path.dirname(tree.path), 'outside.txt', 'keep\n');
  symlinkSync(outside, path.join(tree.path, 'link'));
  put(tree.path, 'mine.txt', 'mine\n');
  expect(await world.commit(of, { remove: [place] })).toEqual(violation(rule, place));
  expect(await world.commit(of, { rename: [{ from: 'mine.txt', to: place }] })).toEqual(
    violation(rule, place),
  );
  expect(await world.commit(of, { rename: [{ from: place, to: 'taken.txt' }] })).toEqual(
    violation(rule, place),
  );
  expect(read(outside, 'inside.txt')).toBe('keep\n');
  expect(read(path.dirname(tree.path), 'outside.txt')).toBe('keep\n');
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(tree.baseCommit);
});

test('links that lead out are refused wherever they are, and gone once the agent asks for their removal', async () => {
  await using world = await makeWorkspaceWorld({ files: { '.gitignore': 'ignored/\n' } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  const outside = world.folder.join('outside');
  put(outside, 'secret.txt', 'secret\n');
  symlinkSync(path.join(outside, 'secret.txt'), path.join(tree.path, 'file'));
  symlinkSync(outside, path.join(tree.path, 'folder'));
  symlinkSync('../../nowhere', path.join(tree.path, 'dangling'));
  mkdirSync(path.join(tree.path, 'ignored'));
  symlinkSync('/etc/passwd', path.join(tree.path, 'ignored/hidden'));
  symlinkSync('invoice.mjs', path.join(tree.path, 'inside'));
  symlinkSync('not-there-yet', path.join(tree.path, 'dangling-inside'));
  const links = ['file', 'folder', 'dangling', 'ignored/hidden'];
  const outcome = await world.commit(of);
  expect(
    outcome.kind === 'violations'
      ? outcome.violations.map((v) => `${v.rule} ${v.place}`).toSorted()
      : outcome,
  ).toEqual(links.map((place) => `link-leads-outside ${place}`).toSorted());
  expect(await world.commit(of, { remove: links })).toMatchObject({
    kind: 'committed',
    files: [{ path: 'dangling-inside' }, { path: 'inside' }],
  });
  expect(read(outside, 'secret.txt')).toBe('secret\n');
});

test('links that the set-up command makes in ignored places, and links of the person, are no violation', async () => {
  await using world = await makeWorkspaceWorld({
    settings: { setupCommand: ['make-venv'] },
    files: { '.gitignore': 'venv/\n', 'package-lock.json': '{}\n' },
    arrange: async ({ path: root, git }) => {
      symlinkSync('/etc/hostname', path.join(root, 'persons-link'));
      await git('add', 'persons-link');
      await git('commit', '--quiet', '--message', 'a link');
    },
  });
  expect(world.project.facts.notices.join('\n')).toContain('persons-link');
  const of = world.newTask();
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'ready', needsSetup: true });
  const tree = await world.prepared(of);
  mkdirSync(path.join(tree.path, 'venv/bin'), { recursive: true });
  symlinkSync('/usr/bin/env', path.join(tree.path, 'venv/bin/python'));
  await world.workspaces.setupDone(of);
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'ready', needsSetup: false });
  put(tree.path, 'a.txt', 'a\n');
  expect(await world.commit(of)).toMatchObject({ kind: 'committed' });
  rmSync(path.join(tree.path, 'venv/bin/python'));
  symlinkSync('/etc/shadow', path.join(tree.path, 'venv/bin/python'));
  rmSync(path.join(tree.path, 'persons-link'));
  symlinkSync('/etc/passwd', path.join(tree.path, 'persons-link'));
  const outcome = await world.commit(of);
  expect(
    outcome.kind === 'violations' ? outcome.violations.map((each) => each.place).toSorted() : outcome,
  ).toEqual(['persons-link', 'venv/bin/python']);
  put(tree.path, 'package-lock.json', '{"changed": true}\n');
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'ready', needsSetup: true });
});

test('a hard link to a file outside is refused', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(world.folder.path, 'secret.txt', 'secret\n');
  linkSync(world.folder.join('secret.txt'), path.join(tree.path, 'copy.txt'));
  put(tree.path, 'a.txt', 'a\n');
  linkSync(path.join(tree.path, 'a.txt'), path.join(tree.path, 'b.txt'));
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'link-leads-outside', place: 'copy.txt' }],
  });
});

test('an altered pointer is a safety stop, and git never follows it', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const trap = world.trap('pointer');
  const evil = world.folder.join('evil.git');
  execFileSync('git', ['init', '--quiet', '--bare', evil], { env: gitEnvironment() });
  execFileSync('git', ['--git-dir', evil, 'config', 'core.fsmonitor', trap.command], {
    env: gitEnvironment(),
  });
  writeFileSync(path.join(tree.path, '.git'), `gitdir: ${evil}\n`);
  put(tree.path, 'a.txt', 'a\n');
  expect(await world.commit(of)).toEqual(violation('pointer-altered'));
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'unusable', problem: 'pointer-altered' });
  expect(await world.workspaces.diff(of)).toContain('a.txt');
  rmSync(path.join(tree.path, '.git'));
  mkdirSync(path.join(tree.path, '.git'));
  expect(await world.commit(of)).toEqual(violation('pointer-altered'));
  expect(await world.workspaces.remove(of, 'cancelled')).toMatchObject({ kept: { files: 1 } });
  expect(trap.hasSprung()).toBe(false);
});

test('hooks, fsmonitor, filters, merge drivers, external diffs and textconv of the repository never run', async () => {
  await using world = await makeWorkspaceWorld();
  const { git } = world.repository;
  const hooks = path.join(world.repository.path, '.git/hooks');
  const trap = world.trap('config');
  for (const hook of [
    'post-checkout',
    'pre-commit',
    'post-commit',
    'post-merge',
    'reference-transaction',
    'post-index-change',
    'pre-merge-commit',
  ]) {
    mkdirSync(hooks, { recursive: true });
    writeFileSync(path.join(hooks, hook), `#!/bin/sh\nexec ${trap.command} < /dev/null\n`);
    chmodSync(path.join(hooks, hook), 0o755);
  }
  for (const [key, value] of [
    ['core.fsmonitor', trap.command],
    ['core.hooksPath', hooks],
    ['filter.evil.clean', trap.command],
    ['filter.evil.smudge', trap.command],
    ['filter.evil.required', 'true'],
    ['filter.lfs.process', trap.command],
    ['filter.lfs.clean', trap.command],
    ['merge.evil.driver', `${trap.command} %O %A %B`],
    ['diff.external', trap.command],
    ['diff.evil.command', trap.command],
    ['diff.evil.textconv', trap.command],
    ['core.sshCommand', trap.command],
    ['core.pager', trap.command],
    ['gpg.program', trap.command],
    ['commit.gpgSign', 'true'],
    ['core.attributesFile', world.folder.join('attributes')],
  ] as const) {
    await git('config', key, value);
  }
  put(world.folder.path, 'attributes', '* filter=evil diff=evil merge=evil\n');
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'invoice.mjs', 'export const total = () => 1;\n');
  const commit = await world.committed(of);
  put(tree.path, '.gitattributes', '* diff=evil merge=evil\n');
  put(tree.path, 'invoice.mjs', 'export const total = () => 2;\n');
  expect(await world.workspaces.diff(of)).toContain('() => 2');
  const second = await world.committed(of);
  // The base moves with the person's own settings off, so that the merge has two sides to join.
  const calm = [
    '-c',
    `core.hooksPath=${world.folder.join('none')}`,
    '-c',
    'core.fsmonitor=false',
    '-c',
    'filter.evil.required=false',
  ];
  for (const key of ['filter.evil.clean', 'core.attributesFile']) await git('config', '--unset', key);
  put(world.repository.path, 'other.txt', 'other\n');
  await git(...calm, 'add', 'other.txt');
  await git(...calm, '-c', 'commit.gpgSign=false', 'commit', '--quiet', '--message', 'other');
  await git('config', 'filter.evil.clean', trap.command);
  await git('config', 'core.attributesFile', world.folder.join('attributes'));
  rmSync(world.folder.join('sprung-config'), { force: true });
  expect(await world.workspaces.mergePreview(of, second)).toMatchObject({ kind: 'clean' });
  await world.workspaces.restoreAfterTests(of, second);
  world.changeSettings({ retest: 'never' });
  expect(await world.workspaces.merge(of, second, commit)).toMatchObject({ kind: 'merged' });
  await world.workspaces.recover([world.project]);
  await world.workspaces.remove(of, 'done');
  expect(trap.hasSprung()).toBe(false);
});

test('a changed file with a filter that is not available is refused, by whatever attributes file', async () => {
  await using world = await makeWorkspaceWorld({ files: { 'data/old.bin': 'old\n' } });
  const trap = world.trap('filter');
  await world.repository.git('config', 'filter.evil.clean', trap.command);
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, '.gitattributes', 'new.txt filter=evil\n');
  put(tree.path, 'new.txt', 'new\n');
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'filter-attribute', place: 'new.txt' }],
  });
  rmSync(path.join(tree.path, 'new.txt'));
  put(tree.path, '.gitattributes', 'data/*.bin filter=evil\n');
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'filter-attribute', place: 'data/old.bin' }],
  });
  put(tree.path, '.gitattributes', 'data/*.bin filter=lfs\n');
  put(tree.path, 'data/old.bin', 'changed\n');
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'filter-attribute', place: 'data/old.bin' }],
  });
  put(tree.path, '.gitattributes', '*.txt text\n');
  expect(await world.commit(of)).toMatchObject({ kind: 'committed' });
  expect(trap.hasSprung()).toBe(false);
});

/** Speaks git's long-running filter protocol (gitattributes(5)); `clean` puts a word before the content. */
const LFS_STAND_IN = `#!${process.execPath}
const packets = (buffer) => {
  const found = [];
  for (let at = 0; at + 4 <= buffer.length; ) {
    const length = parseInt(buffer.toString('latin1', at, at + 4), 16);
    if (length === 0) { found.push(null); at += 4; continue; }
    if (at + length > buffer.length) return { found, rest: buffer.subarray(at) };
    found.push(buffer.subarray(at + 4, at + length));
    at += length;
    if (at + 4 > buffer.length) return { found, rest: buffer.subarray(at) };
  }
  return { found, rest: Buffer.alloc(0) };
};
const line = (text) => process.stdout.write((text.length + 4).toString(16).padStart(4, '0') + text);
const flush = () => process.stdout.write('0000');
let rest = Buffer.alloc(0), list = [], lists = [];
process.stdin.on('data', (chunk) => {
  const read = packets(Buffer.concat([rest, chunk]));
  rest = read.rest;
  for (const packet of read.found) {
    if (packet !== null) { list.push(packet.toString()); continue; }
    lists.push(list); list = [];
    const first = (lists[0] ?? [])[0] ?? '';
    if (first.startsWith('git-filter-client')) { line('git-filter-server\\n'); line('version=2\\n'); flush(); lists = []; }
    else if (first.startsWith('capability')) { line('capability=clean\\n'); line('capability=smudge\\n'); flush(); lists = []; }
    else if (lists.length === 2) {
      const isClean = lists[0].some((each) => each.startsWith('command=clean'));
      line('status=success\\n'); flush();
      line((isClean ? 'pointer to ' : '') + lists[1].join('')); flush(); flush(); lists = [];
    }
  }
});
`;

test('LFS files are cleaned by git-lfs where the project allows it', async () => {
  await using world = await makeWorkspaceWorld({
    settings: { allowLfs: true },
    files: { '.gitattributes': '*.bin filter=lfs\n' },
  });
  // A stand-in for git-lfs that is known by what it makes of a file.
  const bin = world.folder.join('bin');
  put(bin, 'git-lfs', LFS_STAND_IN);
  chmodSync(path.join(bin, 'git-lfs'), 0o755);
  world.restart({ inheritedEnv: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'a.bin', 'content\n');
  await world.committed(of);
  expect(await world.repository.show(tree.branch, 'a.bin')).toBe('pointer to content');
  world.changeSettings({ allowLfs: false });
  const other = world.newTask('Without LFS');
  put((await world.prepared(other)).path, 'b.bin', 'content\n');
  expect(await world.commit(other)).toEqual({
    kind: 'violations',
    violations: [{ rule: 'filter-attribute', place: 'b.bin' }],
  });
});

test('nested repositories and submodules are refused, in every form git could take for one', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const trap = world.trap('nested');
  const nested = path.join(tree.path, 'nested');
  mkdirSync(nested);
  execFileSync('git', ['init', '--quiet', nested], { env: gitEnvironment() });
  execFileSync('git', ['-C', nested, 'config', 'core.fsmonitor', trap.command], { env: gitEnvironment() });
  expect(await world.commit(of)).toEqual(violation('nested-repository', 'nested'));
  expect(await world.workspaces.diff(of)).toBe('');
  rmSync(nested, { recursive: true });
  put(tree.path, 'evil/HEAD', 'ref: refs/heads/main\n');
  put(tree.path, 'evil/config', `[core]\n\tfsmonitor = ${trap.command}\n`);
  expect(await world.commit(of)).toEqual(violation('nested-repository', 'evil'));
  rmSync(path.join(tree.path, 'evil'), { recursive: true });
  put(tree.path, '.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = /tmp/x\n');
  expect(await world.commit(of)).toEqual(violation('nested-repository', '.gitmodules'));
  rmSync(path.join(tree.path, '.gitmodules'));
  expect(await world.commit(of)).toEqual({ kind: 'nothing' });
  expect(trap.hasSprung()).toBe(false);
});

test.each(['sm/new.txt', 'sm/deep/er/new.txt', 'sm/.gitignore'])(
  'what is written into a submodule (%s) stops the task, and is kept when the tree goes',
  async (place) => {
    await using world = await makeWorkspaceWorld({
      arrange: async ({ git }) => {
        await git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sm`);
        await git('commit', '--quiet', '-m', 'A submodule');
      },
    });
    const of = world.newTask();
    const tree = await world.prepared(of);
    expect(await world.commit(of)).toEqual({ kind: 'nothing' });
    put(tree.path, 'a.txt', 'a\n');
    put(tree.path, place, 'mine\n');
    expect(await world.commit(of)).toEqual(violation('nested-repository', 'sm'));
    await world.workspaces.remove(of, 'cancelled');
    expect(existsSync(tree.path)).toBe(false);
    const leftovers = world.folder.join('data', 'leftovers', of.taskId);
    const [time = ''] = readdirSync(leftovers);
    expect(read(path.join(leftovers, time), place)).toBe('mine\n');
  },
);

test.each([
  '.GIT/config',
  'git~1/config',
  '.git./config',
  'sub/.Git/hooks/pre-commit',
  '.g\u200cit/config',
  '.Claude/settings.json',
  'x/.claude/y',
  'Secret/Key.pem',
])('a file %j is a safety stop under whatever case or disguise', async (file) => {
  await using world = await makeWorkspaceWorld({ settings: { forbiddenPaths: ['secret'] } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, file, 'x\n');
  expect(await world.commit(of)).toEqual(violation('forbidden-path'));
  expect(await world.repository.git('rev-parse', tree.branch)).toBe(tree.baseCommit);
});

test('too many files, too large files and another branch are refused', async () => {
  await using world = await makeWorkspaceWorld({ settings: { maxChangedFiles: 2, maxFileBytes: 10 } });
  const of = world.newTask();
  const tree = await world.prepared(of);
  for (const name of ['a', 'b', 'c']) put(tree.path, name, 'x\n');
  put(tree.path, 'large', 'x'.repeat(11));
  expect(await world.commit(of)).toEqual({
    kind: 'violations',
    violations: [
      { rule: 'file-too-large', place: 'large' },
      { rule: 'too-many-files', place: '4 changed files, at most 2' },
    ],
  });
  await world.repository.git('-C', tree.path, 'switch', '--quiet', '--create', 'elsewhere');
  expect(await world.commit(of)).toEqual(violation('other-branch'));
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'unusable', problem: 'other-branch' });
});

test('a tree that became a link, or whose mark is not ours, is neither used nor removed', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const victim = world.folder.join('victim');
  put(victim, 'precious.txt', 'precious\n');
  renameSync(tree.path, world.folder.join('aside'));
  symlinkSync(victim, tree.path);
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'unusable', problem: 'not-ours' });
  await expect(world.workspaces.remove(of, 'cancelled')).rejects.toMatchObject({ code: 'tree-not-ours' });
  await expect(world.workspaces.recreate(of)).rejects.toMatchObject({ code: 'tree-not-ours' });
  expect(readdirSync(victim)).toEqual(['precious.txt']);
  rmSync(tree.path);
  renameSync(world.folder.join('aside'), tree.path);
  writeFileSync(path.join(world.repository.path, '.git/worktrees', of.taskId, 'signalbox-mark'), 'another');
  expect(await world.workspaces.prepare(of)).toMatchObject({ kind: 'unusable', problem: 'not-ours' });
  await expect(world.workspaces.remove(of, 'cancelled')).rejects.toMatchObject({ code: 'tree-not-ours' });
  expect(existsSync(path.join(tree.path, 'invoice.mjs'))).toBe(true);
});

test('real personal data in added lines is refused by rule, place and hash; what stood there before is not', async () => {
  await using world = await makeWorkspaceWorld({
    files: { 'people.txt': 'old: asha.rao@gmail.com\nlast\n' },
  });
  const of = world.newTask();
  const tree = await world.prepared(of);
  put(tree.path, 'people.txt', 'first\nold: asha.rao@gmail.com\nlast\n');
  put(tree.path, 'copy.txt', 'copied asha.rao@gmail.com\n');
  await world.committed(of);
  put(tree.path, 'copy.txt', 'copied asha.rao@gmail.com\nnew vik.sen@gmail.com\n');
  put(tree.path, '.gitattributes', '*.txt -diff binary\n');
  const outcome = await world.commit(of);
  expect(outcome).toEqual({
    kind: 'data-class',
    hits: [
      { rule: 'email', place: 'copy.txt:2:5', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown },
    ],
  });
  expect(JSON.stringify(world.ledger('git.'))).not.toContain('vik.sen');
  const hash = outcome.kind === 'data-class' ? (outcome.hits[0]?.hash ?? '') : '';
  const accepted = await world.workspaces.commit(
    of,
    'run_x' as never,
    { remove: [], rename: [], summary: '' },
    [hash],
  );
  expect(accepted).toMatchObject({ kind: 'committed' });
});

test('names that are no text, and pipes where git reads a file, are refused without being opened', async () => {
  await using world = await makeWorkspaceWorld();
  const of = world.newTask();
  const tree = await world.prepared(of);
  const odd = Buffer.concat([Buffer.from(`${tree.path}/odd-`), Buffer.from([0xff])]);
  writeFileSync(odd, 'x\n');
  expect(await world.commit(of)).toEqual(violation('forbidden-path', 'odd-\ufffd'));
  rmSync(odd);
  symlinkSync('/etc/passwd', odd);
  expect(await world.commit(of)).toEqual(violation('link-leads-outside', 'odd-\ufffd'));
  rmSync(odd);
  mkdirSync(path.join(tree.path, 'sub'));
  for (const name of ['.gitattributes', 'sub/.gitignore', '.git']) {
    rmSync(path.join(tree.path, name), { force: true });
    execFileSync('mkfifo', [path.join(tree.path, name)]);
    expect(await world.commit(of)).toEqual(violation(name === '.git' ? 'pointer-altered' : 'forbidden-path'));
    expect(await world.workspaces.diff(of)).toBe('');
    rmSync(path.join(tree.path, name));
  }
});
