import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sealEntry } from '../../../../src-main/core/ledger/entry.ts';
import { GENESIS } from '../../../../src-main/core/ledger/entry.ts';
import type { HashText } from '../../../../src-main/core/ports/world.ts';
import type { LedgerData, LedgerEntry, LedgerFact } from '../../../../src-shared/model/ledger-entry.ts';
import type { LocalDay } from '../../../../src-shared/time.ts';
import { epochMs } from '../../../../src-shared/time.ts';

export const sha256: HashText = (text) => createHash('sha256').update(text).digest('hex');

const text = fc.string({ unit: 'binary', maxLength: 12 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

export const anyLedgerData = fc.dictionary(text, value, { maxKeys: 5 }) as fc.Arbitrary<LedgerData>;

const nullable = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });

export const anyFact = fc.record({
  kind: fc.constantFrom('harness.start', 'harness.result', 'item.raised', 'item.responded', 'kill.engaged'),
  projectId: nullable(fc.constantFrom('prj_a', 'prj_b')),
  project: nullable(text),
  taskId: nullable(fc.constantFrom('tsk_1', 'tsk_2')),
  sessionId: nullable(fc.uuid()),
  item: nullable(fc.integer({ min: 1, max: 99 })),
  data: anyLedgerData,
}) as unknown as fc.Arbitrary<LedgerFact>;

/** A right chain of the facts, a minute apart. */
export function chainOf(facts: readonly LedgerFact<string>[]): readonly LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (const [index, fact] of facts.entries()) {
    const head = entries.at(-1) ?? GENESIS;
    const place = { head, at: epochMs(index * 60_000), localDay: '1970-01-01' as LocalDay };
    entries.push(sealEntry(fact, place, sha256));
  }
  return entries;
}

export const anyChain = (least: number): fc.Arbitrary<readonly LedgerEntry[]> =>
  fc.array(anyFact, { minLength: least, maxLength: 8 }).map(chainOf);
