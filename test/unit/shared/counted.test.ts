import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { counted } from '../../../src-shared/counted.ts';

test('one is one, and everything else is many', () => {
  expect([
    counted(1, 'file'),
    counted(0, 'file'),
    counted(2, 'file'),
    counted(1, 'entry', 'entries'),
  ]).toEqual(['1 file', '0 files', '2 files', '1 entry']);
  expect(counted(3, 'entry', 'entries')).toBe('3 entries');
});

const NOUNS =
  'agents|attempts|calls|entries|files|folders|hours|items|links|lines|minutes|more are|processes|projects|questions|runs|slots|tasks|turns';
/** A number and a noun of many in one template; a name in capitals is a constant, of which there is never one. */
const MANY = new RegExp(String.raw`\$\{(?![A-Z_]+[ }])[^}]*\} (?:[a-z]+ )?(?:${NOUNS})\b`);
/** Asked for one in the line itself, or `1 of 3 slots`: there the noun goes with the whole. */
const OTHERS = /=== 1 \?|\bof \$\{/;

test('no text of the core or the hosts puts a number before many without asking whether it is one', () => {
  const root = path.join(import.meta.dirname, '../../../src-main');
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(path.join(root, file), 'utf8')
        .split('\n')
        .filter((line) => MANY.test(line) && !OTHERS.test(line) && !/^\s*(\/\/|\*)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});
