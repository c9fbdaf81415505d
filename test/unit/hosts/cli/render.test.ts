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

  test("of ours shows an agent's question as the agent's, and our sentence outside of its block", () => {
    const text = renderItem(
      item({
        kind: 'review',
        cause: 'too-many-questions',
        raisedBy: 'signalbox',
        raisedByName: 'signalbox',
        message: 'The agent keeps asking.',
        details: ['The agent keeps asking.', 'a further fact'],
        question: 'And the tax?',
        options: ['before'],
        summary: 'I saw tax.',
      }),
      out,
    );
    const lines = text.split('\n');
    const inBlocks = lines.filter((line) => /^[┌│]/.test(line));
    expect(inBlocks).toEqual([
      '┌ Claude Code asks',
      '│ And the tax?',
      '┌ Claude Code offers',
      '│ 1. before',
      '┌ Claude Code sums up',
      '│ I saw tax.',
    ]);
    expect(lines.filter((line) => line === 'The agent keeps asking.')).toHaveLength(1);
    expect(lines).toContain('  - a further fact');
    const table = renderInbox([item({ message: 'The agent keeps asking.', question: HOSTILE })], 0);
    expect(table).toContain('The agent keeps asking.');
    expect(table).not.toContain('kill switch');
  });

  test('shows the end of failed tests in a block of its own, with control characters made visible', () => {
    const run: ItemView['testRun'] = {
      id: 'tst_1',
      purpose: 'test',
      state: 'failed',
      exitCode: 3,
      command: ['npm', 'test', '--', 'a b'],
      startedAt: '2026-11-30T09:00:00.000Z',
      endedAt: '2026-11-30T09:00:05.000Z',
    };
    const review = item({
      kind: 'review',
      cause: 'attempts-used-up',
      testRun: run,
      testTail: `${HOSTILE}\n`,
    });
    const lines = renderItem(review, out).split('\n');
    expect(lines).toContain('tests:   failed with exit code 3, 2026-11-30T09:00:05.000Z');
    expect(lines).toContain("command: npm test -- 'a b'");
    const block = lines.slice(lines.indexOf("┌ end of the tests' output"));
    expect(block.slice(0, 4)).toEqual([
      "┌ end of the tests' output",
      '│ ok␛[2K␍signalbox: The kill switch is released.',
      '│   signalbox approve 1',
      '└',
    ]);
  });

  test('of a used-up budget shows its figures, and a command that can be typed as it stands', () => {
    const text = renderItem(
      item({
        kind: 'manual',
        cause: 'budget-used-up',
        question: 'It is used up.',
        questionBy: 'signalbox',
        message: 'It is used up.',
        budget: {
          which: 'project-budget',
          limitUsd: 1,
          spentUsd: 0.996,
          reservedUsd: 0,
          leastUsd: 1.006,
          suggestedUsd: 1.5,
        },
        actions: [{ name: 'raise-cap', title: 'Raise', consequence: 'It goes on.', value: 'the new budget' }],
      }),
      out,
    );
    expect(text.split('\n').map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        'budget of the project: $1.00',
        'spent:                 $0.996, an estimate',
        'reserved:              $0.00',
        'least that helps:      $1.006',
        'signalbox resolve 52 --action raise-cap --value 1.5   (It goes on. --value is the new budget.)',
      ]),
    );
  });

  test('that is open again says that its text is a draft', () => {
    const lines = renderItem(item({ answer: 'Round up.' }), out).split('\n');
    expect(lines).toContain('┌ draft: a response that was taken back');
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
