import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../../src-shared/model/ledger-entry.ts';
import { renderEnd } from '../../../../src-main/hosts/cli/hub-commands.ts';
import { hubLine } from '../../../../src-main/hosts/cli/hub-lines.ts';
import { renderChain } from '../../../../src-main/hosts/cli/ledger-commands.ts';
import { renderReceipt } from '../../../../src-main/hosts/cli/switch-commands.ts';

const entry = (kind: string, change: Partial<LedgerEntry> = {}): LedgerEntry =>
  ({
    kind,
    at: Date.UTC(2026, 2, 2, 9, 30),
    project: 'shop',
    item: null,
    data: {},
    ...change,
  }) as LedgerEntry;

describe('the terminal of a hub', () => {
  test.each<[LedgerEntry, string | null]>([
    [entry('harness.start'), '09:30:00  task 14 (shop): the agent starts'],
    [
      entry('item.raised', { item: 3 as never }),
      '09:30:00  task 14 (shop): #3 waits for you: signalbox inbox show 3',
    ],
    [
      entry('harness.result', { data: { costMicroUsd: 12_300 } }),
      "09:30:00  task 14 (shop): the agent's turn has ended, $0.0123 (estimate)",
    ],
    [
      entry('harness.result', { data: { costMicroUsd: 500_000, costBasis: 'assumed' } }),
      "09:30:00  task 14 (shop): the agent's turn has ended, $0.50 (assumed)",
    ],
    [entry('harness.result', { data: { costMicroUsd: 0, agentRan: false } }), null],
    [entry('task.close'), '09:30:00  task 14 (shop): done'],
    [entry('git.lock_wait'), null],
  ])('tells what is notable in one line each (%#)', (fact, line) => {
    expect(hubLine(fact, 14)).toBe(line);
  });

  test('shows what is hidden in a name', () => {
    expect(hubLine(entry('task.close', { project: 'a\u001b[2Jb\n' }), 1)).toContain('a␛[2Jb␊');
  });

  test('says at its end how many items wait for the person', () => {
    const said = (openItems: number, onHold: string[] = []): string =>
      renderEnd({ stopped: 'idle', onHold, openItems });
    expect([said(0), said(1), said(2), said(0, ['The limit is reached.'])]).toEqual([
      'Nothing is left to do.',
      'Nothing is left to do without you. 1 item waits for you: signalbox inbox',
      'Nothing is left to do without you. 2 items wait for you: signalbox inbox',
      'All that is left is on hold.',
    ]);
  });
});

test('a check of the ledger says from which entry on it looked', () => {
  const said = (entries: number, checkedFrom: number): string =>
    renderChain({ ok: true, entries, head: 'h', checkedFrom });
  expect([said(1, 1), said(9, 5), said(9, 10)]).toEqual([
    'The chain holds: 1 entry, checked from the first entry on; head h.',
    expect.stringContaining('checked from entry 5 on'),
    expect.stringContaining('nothing is new since the last check'),
  ]);
  expect(renderChain({ ok: false, entries: 3, head: 'h', brokenAt: 4 })).toContain('broken at entry 4');
});

test('a stop that could not be stored is not called engaged', () => {
  const receipt = {
    killed: { since: '2026-03-02T09:30:00.000Z', reason: '', by: 'ada' },
    ended: [7],
    alive: [],
    costUsd: 0,
    taskIds: [],
  };
  expect(renderReceipt(receipt)).toContain('Ended 1 process;');
  expect(renderReceipt({ ...receipt, problem: 'The disk is read-only.' })).not.toContain('engaged');
});
