import { AppError } from '../../../src-shared/errors.ts';
import { LEDGER_FAMILIES, LEDGER_KINDS, spellingsOf } from '../../../src-shared/model/ledger-kinds.ts';
import { nearName } from '../../../src-shared/near-name.ts';

const matches = (filter: string, kind: string): boolean =>
  filter.endsWith('.') ? kind.startsWith(filter) : kind === filter;

/**
 * Passes a filter through that can find something: a kind, or a prefix of kinds that ends with `.`, in any of their
 * spellings. An unknown one would find nothing for ever, which looks like an answer.
 *
 * @throws AppError 'usage' with the nearest kind
 */
export function knownKindFilter(filter: string): string {
  if (spellingsOf(filter).some((each) => LEDGER_KINDS.some((kind) => matches(each, kind)))) return filter;
  const near = nearName(filter, [...LEDGER_FAMILIES, ...LEDGER_KINDS]);
  throw new AppError('usage', `No kind of ledger entry is called "${filter}".`, {
    hint:
      near === null
        ? `A kind begins with one of: ${LEDGER_FAMILIES.join(' ')} For all of a family: signalbox ledger --kind harness.`
        : `Did you mean: signalbox ledger --kind ${near}`,
  });
}
