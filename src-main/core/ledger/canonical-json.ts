import canonicalize from 'canonicalize';
import { AppError } from '../../../src-shared/errors.ts';
import type { LedgerData, LedgerValue } from '../../../src-shared/model/ledger-entry.ts';

/**
 * JSON by RFC 8785: keys in the order of their UTF-16 code units, no spaces, one way to print each value.
 *
 * @param value must have been through {@link ledgerData}, or consist of such values
 * @throws AppError 'internal' for text with a lone surrogate, which has no UTF-8 form
 */
export function canonicalJson(value: LedgerValue): string {
  let text: string | undefined;
  try {
    text = canonicalize(value);
  } catch (cause) {
    throw new AppError('internal', 'A value has no canonical JSON.', { cause });
  }
  if (text === undefined) throw new AppError('internal', 'A value has no canonical JSON.');
  return text;
}

/**
 * What a fact's data becomes before it is hashed and stored: exactly what comes back when its JSON is parsed.
 * Text is made well formed (a lone surrogate becomes U+FFFD: refusing it would let hostile text block an answer),
 * members without a value are left out, and `-0` is 0.
 *
 * @throws AppError 'internal' for a number that is not a safe integer, and for what JSON cannot say: money and
 * times are counted in whole units, because a binary fraction prints differently from one language to the next
 */
export function ledgerData(data: LedgerData): LedgerData {
  const copy = wellFormed(data, 'data');
  if (copy === null || typeof copy !== 'object' || isList(copy)) throw refused('data');
  return copy;
}

const isList = (value: LedgerValue): value is readonly LedgerValue[] => Array.isArray(value);

function wellFormed(value: unknown, where: string): LedgerValue {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isSafeInteger(value)) throw refused(where);
      return value === 0 ? 0 : value;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((part, index) => wellFormed(part, `${where}[${index}]`));
      if (!isPlain(value)) throw refused(where);
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, part]) => part !== undefined)
          .map(([key, part]) => [key.toWellFormed(), wellFormed(part, `${where}.${key}`)]),
      );
    default:
      throw refused(where);
  }
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const refused = (where: string): AppError =>
  new AppError(
    'internal',
    'A ledger fact may hold only text, whole numbers, booleans, null, lists and objects.',
    {
      data: { where: where.toWellFormed().slice(0, 200) },
    },
  );
