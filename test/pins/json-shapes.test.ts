import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AgentView } from '../../src-shared/api/agent.ts';
import { DoctorView } from '../../src-shared/api/doctor.ts';
import { ErrorView } from '../../src-shared/api/error.ts';
import { HubEndView, HubStatusView, KillReceiptView } from '../../src-shared/api/hub.ts';
import { ItemView } from '../../src-shared/api/item.ts';
import { ChainView, LedgerEntryView } from '../../src-shared/api/ledger.ts';
import { ProjectView } from '../../src-shared/api/project.ts';
import { RelayReportView } from '../../src-shared/api/report.ts';
import { SpikeStatusView, SpikeView } from '../../src-shared/api/spike.ts';
import { KeptView, TaskView, TranscriptEntryView } from '../../src-shared/api/task.ts';
import { LinkView, ServeView } from '../../src-shared/api/web.ts';

/*
 * Fields that scripts read (15-cli). Adding a field turns a pin red so that it is added here as well; a field that
 * goes, or changes its type, breaks somebody.
 */
type Shape = Readonly<Record<string, string>>;

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodOptional) return `${typeOf(schema.unwrap() as z.ZodType)}?`;
  if (schema instanceof z.ZodNullable) return `${typeOf(schema.unwrap() as z.ZodType)}|null`;
  if (schema instanceof z.ZodArray) return `${typeOf(schema.element as z.ZodType)}[]`;
  if (schema instanceof z.ZodObject) return `{${Object.keys(schema.shape).sort().join(' ')}}`;
  if (schema instanceof z.ZodEnum) return schema.options.join('|');
  if (schema instanceof z.ZodLiteral) return String(schema.value);
  return schema.def.type;
}
const shapeOf = (schema: z.ZodObject): Shape =>
  Object.fromEntries(Object.entries(schema.shape).map(([key, value]) => [key, typeOf(value as z.ZodType)]));

const TASK_STATE =
  'draft|ready|running|testing|awaiting_human|awaiting_approval|merging|done|failed|cancelled|parked';

describe('the JSON shapes of the command line', () => {
  test('task', () => {
    expect(shapeOf(TaskView)).toEqual({
      id: 'string',
      number: 'number',
      project: 'string',
      projectId: 'string',
      title: 'string',
      description: 'string',
      state: TASK_STATE,
      step: 'string|null',
      runId: 'string|null',
      sessionId: 'string|null',
      branch: 'string|null',
      worktree: 'string|null',
      commit: 'string|null',
      attempts: 'number',
      countedAttempts: 'number',
      questions: 'number',
      costUsd: 'number',
      assumedUsd: 'number',
      openItems: 'number[]',
      createdAt: 'string',
      updatedAt: 'string',
      readyAt: 'string|null',
      endedReason: 'string|null',
      lastTestRun: '{command endedAt exitCode id purpose startedAt state tail}|null?',
    });
  });

  test('item', () => {
    const { cause, ...shape } = shapeOf(ItemView);
    expect(cause).toMatch(/\|null$/);
    expect(shape).toEqual({
      number: 'number',
      kind: 'specify|approve|gate|permission|review|manual',
      state: 'open|answered|approved|rejected|sent_back|allowed|denied|resolved|expired|cancelled',
      project: 'string|null',
      projectId: 'string|null',
      taskId: 'string|null',
      taskNumber: 'number|null',
      taskTitle: 'string|null',
      raisedBy: 'string',
      raisedByName: 'string',
      raisedAt: 'string',
      respondedAt: 'string|null',
      respondedBy: 'string|null',
      respondedVia: 'desktop|web|cli|mcp|notification|system|null',
      waitedS: 'number|null',
      question: 'string',
      questionBy: 'agent|signalbox',
      message: 'string|null',
      agentName: 'string|null',
      options: 'string[]',
      summary: 'string',
      details: 'string[]',
      cycle: 'number|null',
      answer: 'string|null',
      action: 'string|null',
      durable: 'boolean',
      actions: '{consequence name title value}[]',
      dispatchAt: 'string|null',
      delivery: 'none|stored|sending|delivered|seen|failed',
      runId: 'string|null',
      commit: 'string|null',
      offer: '{baseCommit changedFiles notes testOutcome testRunId}|null',
      testTail: 'string|null',
      testRun: '{command endedAt exitCode id purpose startedAt state}|null',
      budget: '{leastUsd limitUsd reservedUsd spentUsd suggestedUsd which}|null',
      excerpt: '{by text}?',
      tool: 'string?',
      input: 'unknown?',
    });
  });

  test('project', () => {
    expect(shapeOf(ProjectView)).toEqual({
      id: 'string',
      name: 'string',
      path: 'string',
      baseBranch: 'string',
      slots: 'number',
      slotsInUse: 'number',
      enabled: 'boolean',
      disabledReason: 'string|null',
      paused: 'boolean',
      hold: 'string|null',
      testCommand: 'string[]|null',
      dataClass: 'synthetic|real',
      model: 'string',
      agent: 'string',
      merge: 'merge|ff|none',
      caps: '{budgetUsd callTimeoutS callsPerDay maxAttempts maxQuestions perCallUsd}',
      capSources: '{budgetUsd callTimeoutS callsPerDay maxAttempts maxQuestions perCallUsd}',
      spentUsd: 'number',
      assumedUsd: 'number',
      callsToday: 'number',
      notices: 'string[]',
      settings: 'record',
    });
  });

  test('hub status, hub and kill', () => {
    const [running, stopped] = HubStatusView.options;
    const common = {
      version: 'string',
      killed: '{by reason since}|null',
      paused: 'boolean',
      holds: '{item kind reason since until}[]',
      projects: '{enabled hold inUse name slots}[]',
    };
    expect(shapeOf(running)).toEqual({
      running: 'true',
      pid: 'number',
      since: 'string',
      host: 'hub|desktop|web',
      ...common,
      processes: 'number',
    });
    expect(shapeOf(stopped)).toEqual({ running: 'false', ...common });
    expect(shapeOf(HubEndView)).toEqual({
      stopped: 'idle|signal|asked|max-seconds',
      onHold: 'string[]',
      openItems: 'number?',
    });
    expect(shapeOf(KillReceiptView)).toEqual({
      killed: '{by reason since}',
      ended: 'number[]',
      alive: 'number[]',
      costUsd: 'number',
      taskIds: 'string[]',
      problem: 'string?',
    });
  });

  test('ledger entry and chain', () => {
    expect(shapeOf(LedgerEntryView)).toEqual({
      seq: 'number',
      at: 'string',
      localDay: 'string',
      kind: 'string',
      project: 'string|null',
      projectId: 'string|null',
      taskId: 'string|null',
      sessionId: 'string|null',
      item: 'number|null',
      data: 'custom',
      schema: 'number',
      prevHash: 'string',
      hash: 'string',
    });
    expect(shapeOf(ChainView)).toEqual({
      ok: 'boolean',
      entries: 'number',
      head: 'string',
      brokenAt: 'number?',
      checkedFrom: 'number?',
    });
  });

  test('relay report', () => {
    expect(shapeOf(RelayReportView)).toEqual({
      tasks:
        '{assumedUsd costUsd cycles lockWaitS number project readyToApproveS state taskId title touches waitedS}[]',
      totals: '{assumedUsd costUsd cycles lockWaitS tasks touches waitedS}',
      overlap: '{projects seconds}',
      since: 'string|null',
    });
  });

  test('the smaller ones', () => {
    expect(shapeOf(ErrorView)).toEqual({ error: '{code hint message}' });
    expect(shapeOf(DoctorView)).toEqual({
      ok: 'boolean',
      version: 'string',
      checks: '{fix found name status}[]',
    });
    expect(shapeOf(AgentView)).toEqual({
      name: 'string',
      displayName: 'string',
      harness: 'claude-code|builtin',
      model: 'string',
      callsPerDay: 'number',
      callTimeoutS: 'number',
      testsUnderAccount: 'boolean',
      enabled: 'boolean',
      callsToday: 'number',
    });
    expect(shapeOf(SpikeView)).toEqual({
      id: 'string',
      projects: 'string[]',
      agent: 'string',
      budgetUsd: 'number',
      callsPerDay: 'number',
      days: 'number',
      keepCap: 'boolean',
      callsBefore: 'number',
      startedAt: 'string',
      endsAt: 'string',
      endedAt: 'string|null',
      endedReason: 'string|null',
    });
    expect(Object.keys(shapeOf(SpikeStatusView)).sort()).toEqual([
      'callsToday',
      'openTasks',
      'running',
      'spentUsd',
      'spike',
      'succeeded',
    ]);
    expect(shapeOf(KeptView)).toEqual({
      taskId: 'string',
      taskNumber: 'number|null',
      project: 'string',
      ref: 'string',
      commit: 'string',
      reason: 'string',
      files: 'number',
      at: 'string',
    });
    expect(shapeOf(TranscriptEntryView)).toEqual({
      id: 'number',
      turnId: 'string',
      sessionId: 'string',
      role: 'person|signalbox|assistant|tool',
      content: 'string',
      at: 'string',
    });
  });

  test('serve', () => {
    expect([shapeOf(ServeView), shapeOf(LinkView)]).toEqual([
      { url: 'string', port: 'number', pid: 'number', hub: 'own|attached' },
      { url: 'string', pid: 'number' },
    ]);
  });
});
