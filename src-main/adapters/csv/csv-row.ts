import { stringify } from 'csv-stringify/sync';
import type { CsvRow } from '../../core/ledger/export.ts';

/**
 * One line of CSV (RFC 4180 quoting), without its line break. Text that a spreadsheet would take for a formula
 * (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return) gets a `'` in front.
 */
export const csvRow: CsvRow = (cells) => stringify([[...cells]], { escape_formulas: true, eof: false });
