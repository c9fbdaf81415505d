import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { locateClaude } from '../../../../src-main/adapters/claude-code/locate.ts';
import type { LocateOptions } from '../../../../src-main/adapters/claude-code/locate.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';

function place() {
  const folder = makeTempFolder('locate');
  onTestFinished(() => folder.dispose());
  const put = (name: string, text = '#!/bin/sh\n'): string => {
    const file = folder.join(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  };
  const locate = (change: Partial<LocateOptions> = {}) =>
    locateClaude({
      configured: null,
      searchPath: [folder.join('one'), folder.join('two')].join(path.delimiter),
      platform: 'linux',
      nodePath: '/opt/node',
      folder: folder.path,
      ...change,
    });
  return { folder, put, locate };
}

test('claude is found on PATH, and where it was looked for is told when it is not', async () => {
  const { folder, put, locate } = place();
  expect(await locate()).toEqual({
    kind: 'not-found',
    searched: [folder.join('one/claude'), folder.join('two/claude')],
  });
  const file = put('two/claude');
  expect(await locate()).toMatchObject({ kind: 'found', path: file, file, firstArgs: [] });
});

test('a configured command or path comes before PATH', async () => {
  const { folder, put, locate } = place();
  put('one/claude');
  const other = put('two/my-claude');
  const relative = put('bin/claude-3');
  expect([
    await locate({ configured: 'my-claude' }),
    await locate({ configured: relative }),
    await locate({ configured: './bin/claude-3' }),
    await locate({ configured: '/nowhere/claude' }),
    (await locate({ configured: folder.path })).kind,
  ]).toEqual([
    expect.objectContaining({ kind: 'found', file: other }),
    expect.objectContaining({ kind: 'found', file: relative }),
    expect.objectContaining({ kind: 'found', file: relative }),
    { kind: 'not-found', searched: ['/nowhere/claude'] },
    'unusable',
  ]);
});

test('a script is started through Node, without a shell', async () => {
  const { put, locate } = place();
  const script = put('scripted-claude.js', '');
  expect(await locate({ configured: script })).toMatchObject({ file: '/opt/node', firstArgs: [script] });
});

test('the identity changes with the file', async () => {
  const { put, locate } = place();
  put('one/claude');
  const before = await locate();
  put('one/claude', '#!/bin/sh\n# new\n');
  const after = await locate();
  expect(before.kind === 'found' && after.kind === 'found' && before.identity !== after.identity).toBe(true);
});

test('a batch file of npm is taken apart on Windows; one that is not known is unusable', async () => {
  const { folder, put, locate } = place();
  const cli = put('node_modules/@anthropic-ai/claude-code/cli.js', '');
  const shim = put(
    'claude.cmd',
    '"%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*\r\n',
  );
  const native = put('native.cmd', '@"%dp0%\\node_modules\\cc\\claude.exe" %*\r\n');
  const program = put('node_modules/cc/claude.exe', '');
  const odd = put('odd.cmd', '@echo off\r\nstart claude %*\r\n');
  const gone = put('gone.bat', '"%_prog%" "%dp0%\\missing\\cli.js" %*\r\n');
  const on = (configured: string) => locate({ configured, platform: 'win32' });
  expect([await on(shim), await on(native), await on(odd), await on(gone), folder.path !== '']).toEqual([
    expect.objectContaining({ kind: 'found', path: shim, file: '/opt/node', firstArgs: [cli] }),
    expect.objectContaining({ kind: 'found', path: native, file: program, firstArgs: [] }),
    expect.objectContaining({ kind: 'unusable', path: odd }),
    expect.objectContaining({ kind: 'unusable', path: gone }),
    true,
  ]);
});
