import type { TestRunView } from '../../../src-shared/api/task.ts';
import { shellWords } from '../../../src-shared/shell-word.ts';
import { markedBlock, visibleLine } from '../../../src-shared/visible-text.ts';
import type { Output } from './output.ts';
import { renderFields } from './tables.ts';

const endOf = (run: TestRunView): string => {
  if (run.state === 'failed') return `failed with exit code ${run.exitCode ?? 'unknown'}`;
  return run.state === 'timed-out' ? 'ran past the time limit' : run.state;
};

/**
 * How a test or set-up command ended, and the end of its output in a block of its own: it was written by code that
 * an agent may have written.
 */
export function renderTestRun(run: TestRunView, tail: string, out: Output): readonly string[] {
  const isTest = run.purpose === 'test';
  const fields = renderFields([
    [isTest ? 'tests' : 'set-up', `${endOf(run)}, ${run.endedAt ?? run.startedAt}`],
    ['command', run.command === null ? null : visibleLine(shellWords(run.command))],
  ]);
  const label = isTest ? "end of the tests' output" : "end of the set-up's output";
  return ['', fields, ...(tail === '' ? [] : [markedBlock(label, tail.replace(/\n$/, ''), out.columns)])];
}
