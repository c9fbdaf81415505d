import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { isAppError, type ErrorCode } from '../../../../src-shared/errors.ts';
import type { ProcessRow, ProcessSource } from '../../../../src-main/adapters/process/process-rows.ts';
import { isBelowAgent } from '../../../../src-main/hub/caller-mark.ts';
import { exitCodeOf } from '../../../../src-main/hosts/cli/exit-codes.ts';
import { meaningOf } from '../../../../src-main/hub/hub-signals.ts';
import { parseSince } from '../../../../src-main/hosts/cli/ledger-commands.ts';
import { readStdin, readTextFile } from '../../../../src-main/hosts/cli/read-text.ts';
import { dollars, duration, renderFields, renderTable } from '../../../../src-main/hosts/cli/tables.ts';
import { makeTempFolder } from '../../../support/temp-folder.ts';
import { writeFileSync } from 'node:fs';

const codeOf = async (work: () => unknown): Promise<ErrorCode | null> => {
  try {
    await work();
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return error.code;
  }
};

describe('exit codes', () => {
  test.each<[ErrorCode, number]>([
    ['internal', 1],
    ['hub-running', 1],
    ['usage', 2],
    ['not-found', 2],
    ['file-unreadable', 2],
    ['data-class-hit', 3],
    ['agent-may-not-decide', 3],
    ['timeout', 4],
    ['item-closed', 5],
    ['chain-broken', 5],
  ])('%s ends with %i', (code, exitCode) => {
    expect(exitCodeOf(code)).toBe(exitCode);
  });
});

describe('--since', () => {
  const now = Date.UTC(2026, 10, 30, 12);

  test('takes a date, a time, or a length back', () => {
    expect(parseSince('2026-11-29', now)).toBe('2026-11-29T00:00:00.000Z');
    expect(parseSince('2026-11-29T10:00:00+05:30', now)).toBe('2026-11-29T04:30:00.000Z');
    expect(parseSince('2h', now)).toBe('2026-11-30T10:00:00.000Z');
    expect(parseSince('3d', now)).toBe('2026-11-27T12:00:00.000Z');
  });

  test.each(['yesterday', '', '2026-13-40', '5', '-2h'])('refuses "%s"', async (text) => {
    expect(await codeOf(() => parseSince(text, now))).toBe('usage');
  });
});

describe('signals of a hub', () => {
  test('the first stops, one that comes with it is the same request, a later one ends at once', () => {
    expect([meaningOf(null, 0), meaningOf(1000, 1100), meaningOf(1000, 1600)]).toEqual([
      'stop',
      'same',
      'at-once',
    ]);
  });
});

describe('a caller', () => {
  const row = (pid: number, ppid: number): ProcessRow => ({
    pid,
    ppid,
    pgid: null,
    sid: null,
    start: String(pid),
    startOrder: pid,
    isDead: false,
    cpuMs: null,
  });
  const source = (rows: readonly ProcessRow[], marked: readonly number[]): ProcessSource =>
    ({
      snapshot: () =>
        Promise.resolve({
          rows,
          markOf: ({ pid }: ProcessRow) => (marked.includes(pid) ? 'hub_x:att_y' : null),
        }),
    }) as unknown as ProcessSource;
  const tree = [row(1, 0), row(10, 1), row(20, 10), row(30, 20), row(40, 1)];

  test('is an agent by its own environment, or by that of any ancestor', async () => {
    const self = { pid: 30, ppid: 20 };
    expect(await isBelowAgent({ SIGNALBOX_OWNER: 'x' }, self, null)).toBe(true);
    expect(await isBelowAgent({}, self, source(tree, [10]))).toBe(true);
  });

  test('is a person when no ancestor carries a mark, whatever runs elsewhere', async () => {
    expect(await isBelowAgent({}, { pid: 30, ppid: 20 }, source(tree, [40]))).toBe(false);
    expect(await isBelowAgent({}, { pid: 30, ppid: 20 }, null)).toBe(false);
  });

  test('is looked up once through a circle of parents', async () => {
    const circle = [row(2, 3), row(3, 2)];
    expect(await isBelowAgent({}, { pid: 9, ppid: 2 }, source(circle, []))).toBe(false);
  });
});

describe('text from outside', () => {
  test('comes whole from standard input, without the line end that the tool added', async () => {
    const big = 'ä'.repeat(200_000);
    expect(await readStdin(Readable.from([Buffer.from(big), Buffer.from('\r\n')]))).toBe(big);
    expect(await readStdin(Readable.from([Buffer.from('a\n\n')]))).toBe('a\n');
  });

  test('is refused when it is no UTF-8, too long, or not there', async () => {
    using folder = makeTempFolder('read-text');
    writeFileSync(folder.join('latin1'), Buffer.from([0xe4, 0xff]));
    writeFileSync(folder.join('big'), Buffer.alloc(4_000_001, 'a'));
    expect(await codeOf(() => readStdin(Readable.from([Buffer.from([0xe4, 0xff])])))).toBe('file-unreadable');
    expect(await codeOf(() => readTextFile(folder.join('latin1')))).toBe('file-unreadable');
    expect(await codeOf(() => readTextFile(folder.join('big')))).toBe('usage');
    expect(await codeOf(() => readTextFile(folder.join('none')))).toBe('file-unreadable');
    expect(await codeOf(() => readTextFile(folder.path))).toBe('file-unreadable');
  });
});

describe('what people read', () => {
  test('a table has one line a row, whatever its cells hold', () => {
    const table = renderTable(
      ['a', 'b'],
      [
        ['x\ny', '\u001b[1m'],
        [1, 'z'.repeat(100)],
      ],
    );
    expect(table.split('\n')).toHaveLength(3);
    expect(table).toContain('x␊y');
    expect(table).toContain('…');
  });

  test('fields without a value are left out', () => {
    expect(
      renderFields([
        ['one', 1],
        ['three', null],
        ['zero', 0],
        ['empty', ''],
      ]),
    ).toBe('one:  1\nzero: 0');
  });

  test('lengths and money read at a glance', () => {
    expect([3, 90, 7500, 86_400, 100_000].map(duration)).toEqual([
      '3 s',
      '1 min',
      '2 h 5 min',
      '1 d',
      '1 d 3 h',
    ]);
    expect([0, 0.0058, 0.5, 12].map(dollars)).toEqual(['$0.00', '$0.0058', '$0.50', '$12.00']);
  });
});
