import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyChain } from '../../../../src-main/core/ledger/chain.ts';
import { GENESIS_HASH, exportedEntry, laterDay, sealEntry } from '../../../../src-main/core/ledger/entry.ts';
import { GENESIS } from '../../../../src-main/core/ledger/entry.ts';
import type { ProjectId } from '../../../../src-shared/ids.ts';
import type { LedgerEntry } from '../../../../src-shared/model/ledger-entry.ts';
import type { LocalDay } from '../../../../src-shared/time.ts';
import { epochMs } from '../../../../src-shared/time.ts';
import { anyChain, sha256 } from './arbitrary.ts';

/** Some value other than the one that is there. */
function altered(entry: LedgerEntry, member: keyof LedgerEntry): LedgerEntry {
  const old = entry[member];
  if (member === 'data') return { ...entry, data: { ...entry.data, altered: 'yes' } };
  if (typeof old === 'number') return { ...entry, [member]: old + 1 };
  if (typeof old === 'string') return { ...entry, [member]: old === '' ? 'x' : `${old.slice(1)}x${old[0]}` };
  return { ...entry, [member]: member === 'item' ? 7 : 'something' };
}

const MEMBERS: readonly (keyof LedgerEntry)[] = [
  'seq',
  'at',
  'localDay',
  'kind',
  'projectId',
  'project',
  'taskId',
  'sessionId',
  'item',
  'data',
  'schema',
  'prevHash',
  'hash',
];

test('a chain as it was written verifies, from its start and from any entry in it', () => {
  fc.assert(
    fc.property(anyChain(1), fc.nat(), (chain, at) => {
      const last = chain.at(-1);
      const from = chain[at % chain.length] ?? GENESIS;
      const right = { ok: true, entries: chain.length, head: last?.hash, brokenAt: null, checkedFrom: 1 };
      expect(verifyChain(chain, sha256)).toEqual(right);
      expect(verifyChain(chain.slice(from.seq), sha256, from)).toEqual({
        ...right,
        checkedFrom: from.seq + 1,
      });
    }),
  );
});

test('an empty chain verifies', () => {
  expect(verifyChain([], sha256)).toEqual({
    ok: true,
    entries: 0,
    head: GENESIS_HASH,
    brokenAt: null,
    checkedFrom: 1,
  });
});

test('a change of any member of any entry is found at that entry', () => {
  fc.assert(
    fc.property(anyChain(1), fc.nat(), fc.constantFrom(...MEMBERS), (chain, at, member) => {
      const index = at % chain.length;
      const broken = chain.map((entry, place) => (place === index ? altered(entry, member) : entry));
      expect(verifyChain(broken, sha256)).toMatchObject({ ok: false, brokenAt: index + 1, entries: index });
    }),
  );
});

test('a change is found also when the entry got the right hash of its new content', () => {
  fc.assert(
    fc.property(anyChain(2), fc.nat(), (chain, at) => {
      const index = at % (chain.length - 1);
      const old = chain[index];
      if (old === undefined) throw new Error('the chain has no such entry');
      const head = chain[index - 1] ?? GENESIS;
      const forged = sealEntry({ ...old, data: { forged: true } }, { ...old, head }, sha256);
      const broken = chain.map((entry, place) => (place === index ? forged : entry));
      fc.pre(forged.hash !== old.hash);
      expect(verifyChain(broken, sha256)).toMatchObject({ ok: false, brokenAt: index + 2 });
    }),
  );
});

test('an entry that was taken out is missed where it stood, unless it was the last', () => {
  fc.assert(
    fc.property(anyChain(2), fc.nat(), (chain, at) => {
      const index = at % (chain.length - 1);
      const broken = chain.filter((_, place) => place !== index);
      expect(verifyChain(broken, sha256)).toMatchObject({ ok: false, brokenAt: index + 1 });
    }),
  );
});

test('two entries that changed places are found at the first of them', () => {
  fc.assert(
    fc.property(anyChain(2), fc.nat(), fc.nat(), (chain, one, other) => {
      const [first, second] = [one % chain.length, other % chain.length].sort((a, b) => a - b);
      fc.pre(first !== undefined && second !== undefined && first !== second);
      const broken = chain.map((entry, place) =>
        place === first ? chain[second] : place === second ? chain[first] : entry,
      );
      expect(verifyChain(broken as LedgerEntry[], sha256)).toMatchObject({ ok: false, brokenAt: first + 1 });
    }),
  );
});

test('content of a kind that is never written counts as altered', () => {
  const entry = sealEntry(
    { kind: 'a' },
    { head: GENESIS, at: epochMs(0), localDay: '1970-01-01' as LocalDay },
    sha256,
  );
  for (const wrong of [{ data: { a: '\ud800' } }, { at: epochMs(1e18) }]) {
    expect(verifyChain([{ ...entry, ...wrong }], sha256)).toMatchObject({ ok: false, brokenAt: 1 });
  }
});

test('an entry has exactly the exported shape, and its hash is that of the shape without hash', () => {
  const entry = sealEntry(
    {
      kind: 'project.added',
      projectId: 'prj_1' as ProjectId,
      project: 'shop',
      data: { b: 1, a: ['x', null] },
    },
    { head: GENESIS, at: epochMs(Date.UTC(2026, 2, 2, 9)), localDay: '2026-03-02' as LocalDay },
    sha256,
  );
  // Printed by hand, so that a change of the shape or of the canonical form is seen.
  const text =
    '{"at":"2026-03-02T09:00:00.000Z","data":{"a":["x",null],"b":1},"item":null,"kind":"project.added",' +
    '"localDay":"2026-03-02","prevHash":"0000000000000000000000000000000000000000000000000000000000000000",' +
    '"project":"shop","projectId":"prj_1","schema":1,"seq":1,"sessionId":null,"taskId":null}';
  expect(exportedEntry(entry)).toEqual({ ...(JSON.parse(text) as object), hash: sha256(text) });
});

test('the day never goes back', () => {
  const day = (text: string): LocalDay => text as LocalDay;
  expect(laterDay(day('2026-03-02'), null)).toBe('2026-03-02');
  expect(laterDay(day('2026-03-02'), day('2026-03-03'))).toBe('2026-03-03');
  expect(laterDay(day('2026-03-04'), day('2026-03-03'))).toBe('2026-03-04');
});
