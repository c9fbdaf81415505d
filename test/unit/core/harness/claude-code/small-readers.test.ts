import { expect, test } from 'vitest';
import { readAuthStatus, readVersion } from '../../../../../src-main/core/harness/claude-code/auth-status.ts';
import { parseResetTime } from '../../../../../src-main/core/harness/claude-code/reset-time.ts';
import { transcriptFolder } from '../../../../../src-main/core/harness/claude-code/transcript-path.ts';
import { parseWindowsShim } from '../../../../../src-main/core/harness/claude-code/windows-shim.ts';
import { epochMs, isoTimeOrNull } from '../../../../../src-shared/time.ts';

test('a reset time is the next such moment, in the zone that the sentence names', () => {
  const now = epochMs(Date.UTC(2026, 10, 30, 18, 53, 12));
  const at = (text: string): string | null => isoTimeOrNull(parseResetTime(text, now));
  expect([
    at("You've hit your 5-hour limit · resets 7:47pm (UTC)"),
    at('resets 6:52pm (UTC)'),
    at('resets 12am (UTC)'),
    at('resets 9pm (Europe/Berlin)'),
    at('resets 19:30 (Asia/Kolkata)'),
    at('resets Dec 3, 9am (UTC)'),
    at('resets Jan 2 at 10am (UTC)'),
    at('resets 7:47pm (Nowhere/Town)'),
    at('resets 7:47pm'),
    at('resets 13pm (UTC)'),
    at('no time at all'),
  ]).toEqual([
    '2026-11-30T19:47:00.000Z',
    '2026-12-01T18:52:00.000Z',
    '2026-12-01T00:00:00.000Z',
    '2026-11-30T20:00:00.000Z',
    '2026-12-01T14:00:00.000Z',
    '2026-12-03T09:00:00.000Z',
    '2027-01-02T10:00:00.000Z',
    null,
    null,
    null,
    null,
  ]);
});

test('login state and version are read from what the CLI prints, and nothing is taken for granted', () => {
  expect([
    readAuthStatus('{"loggedIn":true,"authMethod":"api_key"}'),
    readAuthStatus('{"loggedIn": false,"authMethod": "none"}\n'),
    readAuthStatus('{}').kind,
    readAuthStatus('').kind,
    readVersion('2.1.332 (Claude Code)\n'),
    readVersion('v20.1.0'),
  ]).toEqual([
    { kind: 'logged-in', method: 'api_key' },
    { kind: 'logged-out' },
    'unknown',
    'unknown',
    '2.1.332',
    null,
  ]);
});

test('a working folder becomes the folder name that the CLI gives it', () => {
  expect([
    transcriptFolder('/work/dot.dir_under'),
    transcriptFolder('/ünï'),
    transcriptFolder(`/${'a'.repeat(250)}`),
  ]).toEqual([
    { name: '-work-dot-dir-under', isWhole: true },
    { name: '--n-', isWhole: true },
    { name: `-${'a'.repeat(199)}`, isWhole: false },
  ]);
});

const NPM_SHIM = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*
`;

test('a batch file of npm tells what it starts, any other is not guessed at', () => {
  expect([
    parseWindowsShim(NPM_SHIM),
    parseWindowsShim('@"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*'),
    parseWindowsShim('@"%dp0%\\evil.bat" %*'),
    parseWindowsShim('@echo off\r\nclaude-real %*'),
  ]).toEqual([
    { target: 'node_modules\\@anthropic-ai\\claude-code\\cli.js', interpreter: 'node' },
    { target: 'node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe', interpreter: null },
    null,
    null,
  ]);
});
