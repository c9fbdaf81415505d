import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Spawner } from '../../../adapters/process/spawner.ts';
import { AppError } from '../../../../src-shared/errors.ts';
import type { HubId } from '../../../../src-shared/ids.ts';
import { seconds } from '../../../../src-shared/time.ts';

/** A task whose wording leaves open how to round, so that the agent asks. */
export const DEMO_TASK = {
  title: 'Round the invoice total',
  description: [
    'The data here is synthetic: a fake invoice of ACME Test Ltd with amounts like 123.45.',
    'total() in invoice.js must give back a rounded sum of the line items.',
    'Round to 2 places or to the nearest rupee? Ask before you change anything.',
  ].join('\n'),
} as const;

const MODULE = `/** Sum of the line items of an invoice of ACME Test Ltd (synthetic data). */
export function total(lines) {
  return lines.reduce((sum, line) => sum + line, 0);
}
`;

/** Passes with either rounding, and fails without one. */
const TESTS = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './invoice.js';

test('the total is rounded', () => {
  const sum = total([123.45, 0.1, 0.2]);
  assert.ok(sum === 123.75 || sum === 124, \`not rounded: \${sum}\`);
});

test('an empty invoice comes to nothing', () => {
  assert.equal(total([]), 0);
});
`;

/** Makes a tiny synthetic repository with one commit. @throws AppError 'git-failed' */
export async function makeDemoRepository(spawner: Spawner, hub: HubId, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    '{ "name": "invoice", "private": true, "type": "module" }\n',
  );
  writeFileSync(path.join(folder, 'invoice.js'), MODULE);
  writeFileSync(path.join(folder, 'invoice.test.js'), TESTS);
  const identity = [
    '-c',
    'user.name=Signalbox demo',
    '-c',
    'user.email=demo@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  for (const args of [
    ['init', '--quiet', '--initial-branch=main', '.'],
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '--no-verify', '-m', 'A fake invoice'],
  ]) {
    const finished = await spawner.run({
      file: 'git',
      args,
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      mark: `${hub}:demo`,
      timeout: seconds(30),
      maxBytes: 64 * 1024,
    });
    if (finished.kind !== 'exited' || finished.exitCode !== 0) {
      throw new AppError('git-failed', `git ${args[0] ?? ''} did not work in ${folder}.`, {
        hint: 'Is git 2.38 or later installed? See: signalbox doctor',
      });
    }
  }
}
