import Table from 'cli-table3';
import { shortLine, visibleLine } from '../../../src-shared/visible-text.ts';

/** A table for people; every cell is one visible line. No colours, so that it reads the same in a file. */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const table = new Table({
    head: [...head],
    style: { head: [], border: [], compact: true },
    chars: {
      top: '',
      'top-mid': '',
      'top-left': '',
      'top-right': '',
      bottom: '',
      'bottom-mid': '',
      'bottom-left': '',
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
  });
  table.push(...rows.map((row) => row.map((cell) => shortLine(String(cell), MOST_CELL))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
const MOST_CELL = 60;

/** `name: value` lines with the names in one column; every value is one visible line, absent ones are left out. */
export function renderFields(
  fields: readonly (readonly [string, string | number | null | undefined])[],
): string {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${visibleLine(String(value))}`)
    .join('\n');
}

/** `$1.2345`, with as many decimals as matter; always an estimate of the CLI's. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd !== 0 && Math.abs(usd) < 0.1 ? 4 : 2)}`;

/** For a cell: what is assumed of an amount stands apart (12-engine, Money). */
export const withAssumed = (usd: number, assumedUsd: number): string =>
  assumedUsd > 0 ? `${dollars(usd)} (${dollars(assumedUsd)} assumed)` : dollars(usd);

/** `3 s`, `4 min`, `2 h 5 min`, `3 d 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}
