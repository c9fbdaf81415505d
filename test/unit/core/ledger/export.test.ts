import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from '../../../../src-main/adapters/csv/csv-row.ts';
import { canonicalJson } from '../../../../src-main/core/ledger/canonical-json.ts';
import { csvLines, jsonlLines } from '../../../../src-main/core/ledger/export.ts';
import type { LedgerData } from '../../../../src-shared/model/ledger-entry.ts';
import { anyChain, chainOf, sha256 } from './arbitrary.ts';

test('whoever takes hash out of a line and hashes the rest has verified the entry', () => {
  fc.assert(
    fc.property(anyChain(1), (chain) => {
      let previous = '0'.repeat(64);
      for (const line of jsonlLines(chain)) {
        const { hash, ...rest } = JSON.parse(line) as LedgerData;
        expect(line).not.toContain('\n');
        expect(sha256(canonicalJson(rest))).toBe(hash);
        expect(rest['prevHash']).toBe(previous);
        previous = String(hash);
      }
    }),
  );
});

test('a CSV export is a header and one line an entry', () => {
  const chain = chainOf([{ kind: 'item.raised', item: 3 as never, project: 'a "b", c', data: { n: 1 } }]);
  const [entry] = chain;
  expect([...csvLines(chain, csvRow)]).toEqual([
    'seq,at,localDay,kind,projectId,project,taskId,sessionId,item,data,schema,prevHash,hash',
    `1,1970-01-01T00:00:00.000Z,1970-01-01,item.raised,,"a ""b"", c",,,3,"{""n"":1}",1,${'0'.repeat(64)},${entry?.hash}`,
  ]);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
  'text that begins like a formula is harmless: %j',
  (name) => {
    const [, line = ''] = [...csvLines(chainOf([{ kind: 'project.added', project: name }]), csvRow)];
    const cell = line.split(',')[5] ?? '';
    expect(cell.replace(/^"/, '')[0]).toBe("'");
  },
);
