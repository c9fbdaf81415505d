import { expect, test } from 'vitest';
import { nearName } from '../../../src-shared/near-name.ts';

test.each<[string, readonly string[], string | null]>([
  ['shpo', ['billing', 'shop'], 'shop'],
  ['claud', ['claude'], 'claude'],
  ['cals_per_day', ['callsPerDay', 'model'], 'callsPerDay'],
  ['BILLING', ['billing', 'shop'], 'billing'],
  ['bill', ['billing-of-the-whole-company', 'shop'], 'billing-of-the-whole-company'],
  ['nonsense', ['hub', 'inbox', 'answer'], null],
  ['x', ['a', 'b'], null],
  ['', ['a'], null],
  ['shop', [], null],
])('of %s among %j it is %s', (typed, known, near) => {
  expect(nearName(typed, known)).toBe(near);
});
