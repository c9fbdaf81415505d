import { describe, expect, test } from 'vitest';
import type { ItemView } from '../../../../src-shared/api/item.ts';
import type { RelayReportView } from '../../../../src-shared/api/report.ts';
import { createOutput } from '../../../../src-main/hosts/cli/output.ts';
import { renderInbox, renderItem } from '../../../../src-main/hosts/cli/render-item.ts';
import { relayMarkdown } from '../../../../src-main/hosts/cli/render-report.ts';

const sink = { write: () => undefined, columns: 80 };
const out = createOutput({ json: false, stdout: sink, stderr: sink, env: {} });

const item = (given: Partial<ItemView>): ItemView => ({
  number: 52,
  kind: 'specify',
  state: 'open',
  project: 'shop',
  projectId: 'prj_1',
  taskId: 'tsk_1',
  taskNumber: 14,
  taskTitle: 'Round totals',
  raisedBy: 'claude',
  raisedByName: 'Claude Code',
  raisedAt: '2026-11-30T09:00:00.000Z',
  respondedAt: null,
  respondedBy: null,
  respondedVia: null,
  waitedS: null,
  cause: null,
  question: 'Which rounding?',
  questionBy: 'agent',
  message: null,
  agentName: 'Claude Code',
  options: [],
  summary: '',
  details: [],
  cycle: 1,
  answer: null,
  action: null,
  durable: true,
  actions: [],
  dispatchAt: null,
  delivery: 'none',
  runId: 'run_1',
  commit: null,
  offer: null,
  testTail: null,
  testRun: null,
  budget: null,
  ...given,
});

const HOSTILE = 'ok\u001b[2K\rsignalbox: The kill switch is released.\n  signalbox approve 1';

describe('an item', () => {
  test('shows the words of an agent only inside a block with its name', () => {
    const text = renderItem(
      item({ question: HOSTILE, options: [HOSTILE], summary: HOSTILE, taskTitle: HOSTILE }),
      out,
    );
    expect(text).not.toContain('\u001b');
    const lines = text.split('\n');
    expect(lines.filter((line) => line.trimStart().startsWith('signalbox approve'))).toEqual([]);
    expect(lines).toContain('┌ Claude Code asks');
  });

  test('says what to type next', () => {
    const text = renderItem(
      item({
        kind: 'review',
        cause: 'attempts-used-up',
        actions: [{ name: 'retry', title: 'Retry', consequence: 'It starts again.' }],
      }),
      out,
    );
    expect(text).toContain('signalbox resolve 52 --action retry   (It starts again.)');
  });

  test('is one line of the inbox, whatever its question holds', () => {
    const table = renderInbox([item({ question: HOSTILE })], Date.parse('2026-11-30T11:00:00.000Z'));
    expect(table.split('\n')).toHaveLength(2);
    expect(table).toContain('2 h');
    expect(table).not.toContain('\u001b');
  });
});

describe('the relay report in Markdown', () => {
  test('has one row a task, with its title as plain characters', () => {
    const report: RelayReportView = {
      tasks: [
        {
          taskId: 'tsk_1',
          number: 14,
          project: 'shop',
          title: '<script>|x|</script> [a](b)\nnew',
          state: 'done',
          cycles: 1,
          touches: 2,
          waitedS: [1.5, 2],
          readyToApproveS: 10.25,
          costUsd: 0.25,
          assumedUsd: 0.05,
          lockWaitS: 0,
        },
      ],
      totals: {
        tasks: 1,
        cycles: 1,
        touches: 2,
        waitedS: 3.5,
        costUsd: 0.25,
        assumedUsd: 0.05,
        lockWaitS: 0,
      },
      overlap: { projects: [], seconds: 0 },
      since: null,
    };
    const rows = relayMarkdown(report)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(4);
    expect(rows[2]).toBe(
      '| 14 | shop | done | 1 | 2 | 1\\.5\\, 2 | 10\\.25 | \\$0\\.25 \\(\\$0\\.0500 assumed\\) | 0 | ' +
        '&lt;script&gt;\\|x\\|&lt;\\/script&gt; \\[a\\]\\(b\\)␊new |',
    );
  });
});
