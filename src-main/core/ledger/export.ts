import type { LedgerEntry } from '../../../src-shared/model/ledger-entry.ts';
import { canonicalJson } from './canonical-json.ts';
import { exportedEntry } from './entry.ts';

/**
 * One JSON object a line, without the line break, each in the canonical form of RFC 8785. Whoever parses a line,
 * takes `hash` out, prints the rest canonically and hashes it has verified the entry.
 */
export function* jsonlLines(entries: Iterable<LedgerEntry>): Generator<string, void> {
  for (const entry of entries) yield canonicalJson({ ...exportedEntry(entry) });
}

export type CsvCell = string | number | null;
/** Cells of one row as a CSV line without its line break; formulas in text must come out harmless. */
export type CsvRow = (cells: readonly CsvCell[]) => string;

export const CSV_COLUMNS = [
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
] as const;

/**
 * A header line, then one line an entry, without line breaks at their ends; `data` is one cell of canonical JSON.
 *
 * @param row how a line is written: the CSV library's types need Node's, which the core does without
 */
export function* csvLines(entries: Iterable<LedgerEntry>, row: CsvRow): Generator<string, void> {
  yield row(CSV_COLUMNS);
  for (const entry of entries) {
    const exported = { ...exportedEntry(entry), data: canonicalJson(entry.data) };
    yield row(CSV_COLUMNS.map((column) => exported[column]));
  }
}
