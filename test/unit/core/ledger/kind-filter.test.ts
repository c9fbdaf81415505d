import { describe, expect, test } from 'vitest';
import { LEDGER_KINDS } from '../../../../src-shared/model/ledger-kinds.ts';
import { knownKindFilter } from '../../../../src-main/core/ledger/kind-filter.ts';
import { ApiWorld } from '../../../support/api-world.ts';

test('every kind, its older spelling and every prefix that ends with a dot may be asked for', () => {
  const families = LEDGER_KINDS.map((kind) => kind.slice(0, kind.indexOf('.') + 1));
  const filters = [...LEDGER_KINDS, ...LEDGER_KINDS.map((kind) => kind.replaceAll('_', '-')), ...families];
  expect(filters.map(knownKindFilter)).toEqual(filters);
});

describe('a kind that there is not', () => {
  test.each([
    ['nope', 'A kind begins with one of: account. git. '],
    ['nope.', 'A kind begins with one of: account. git. '],
    ['.', 'A kind begins with one of: account. git. '],
    ['harness', 'Did you mean: signalbox ledger --kind harness.'],
    ['harnes.', 'Did you mean: signalbox ledger --kind harness.'],
    ['item.rased', 'Did you mean: signalbox ledger --kind item.raised'],
    ['policy.agent-change', 'Did you mean: signalbox ledger --kind policy.agent_changed'],
    ['Item.raised', 'Did you mean: signalbox ledger --kind item.raised'],
  ])('is refused with the nearest, or with where kinds begin: %s', (filter, hint) => {
    expect(() => knownKindFilter(filter)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining(hint) as string }),
    );
  });

  test('is refused by every call that filters entries', async () => {
    using world = new ApiWorld();
    const { ledger } = world.call;
    const refused = expect.objectContaining({
      message: expect.stringContaining('No kind of ledger entry') as string,
    }) as Error;
    await expect(ledger.list({ kind: 'nope' })).rejects.toEqual(refused);
    await expect(ledger.page({ kind: 'nope', afterSeq: 0 })).rejects.toEqual(refused);
    const followed = await ledger.follow({ kind: 'nope' });
    await expect((async () => void (await followed[Symbol.asyncIterator]().next()))()).rejects.toEqual(
      refused,
    );
    expect(await ledger.list({ kind: 'item.' })).toEqual([]);
  });
});
