import { expect, test } from 'vitest';
import type { AgentView } from '../../../../src-shared/api/agent.ts';
import type { ProjectView } from '../../../../src-shared/api/project.ts';
import type { TaskView } from '../../../../src-shared/api/task.ts';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import { createOutput } from '../../../../src-main/hosts/cli/output.ts';
import {
  renderAgent,
  renderAgents,
  renderProject,
  renderProjects,
} from '../../../../src-main/hosts/cli/render-project.ts';
import { renderTask, renderTasks } from '../../../../src-main/hosts/cli/render-task.ts';

const sink = { write: () => undefined, columns: 80 };
const out = createOutput({ json: false, stdout: sink, stderr: sink, env: {} });

const HOSTILE = '\u001B]0;owned\u0007\u001B[2J\u202Eevil\u009B\r\nsecond line';

const project = (given: Partial<ProjectView>): ProjectView => ({
  id: 'prj_1',
  name: 'shop',
  path: '/code/shop',
  baseBranch: 'main',
  slots: 1,
  slotsInUse: 0,
  enabled: true,
  disabledReason: null,
  paused: false,
  hold: null,
  testCommand: null,
  dataClass: 'synthetic',
  model: 'sonnet',
  agent: 'claude',
  merge: 'merge',
  caps: {
    budgetUsd: 10,
    perCallUsd: 0.5,
    callsPerDay: 20,
    maxQuestions: 3,
    maxAttempts: 3,
    callTimeoutS: 900,
  },
  capSources: {
    budgetUsd: 'default',
    perCallUsd: 'default',
    callsPerDay: 'default',
    maxQuestions: 'default',
    maxAttempts: 'default',
    callTimeoutS: 'default',
  },
  spentUsd: 1.25,
  assumedUsd: 0,
  callsToday: 2,
  notices: [],
  settings: {},
  ...given,
});

const task = (given: Partial<TaskView>): TaskView =>
  ({
    id: 'tsk_1',
    number: 14,
    project: 'shop',
    title: 'Round totals',
    description: 'Sum them.',
    state: 'parked',
    step: 'work',
    sessionId: null,
    branch: null,
    worktree: null,
    commit: null,
    attempts: 1,
    countedAttempts: 0,
    questions: 0,
    costUsd: 0.75,
    assumedUsd: 0,
    openItems: [],
    createdAt: '2026-11-30T09:00:00.000Z',
    updatedAt: '2026-11-30T09:00:00.000Z',
    endedReason: null,
    ...given,
  }) as TaskView;

const agent = (given: Partial<AgentView>): AgentView => ({
  ...DEFAULT_AGENT,
  enabled: true,
  callsToday: 0,
  ...given,
});

test('assumed money stands apart in lists as in single views, and is not named where there is none', () => {
  expect(renderProjects([project({ assumedUsd: 0.5 })])).toContain('$1.25 ($0.50 assumed) of $10.00');
  expect(renderProject(project({ assumedUsd: 0.5 }), out)).toContain('$1.25 ($0.50 assumed) of $10.00');
  expect(renderTasks([task({ assumedUsd: 0.25 })])).toContain('$0.75 ($0.25 assumed)');
  const plain = [renderProjects([project({})]), renderProject(project({}), out), renderTasks([task({})])];
  expect(plain.filter((text) => text.includes('assumed'))).toEqual([]);
});

test('names that were stored before they were refused reach no terminal as they are', () => {
  const views: Readonly<Record<string, string>> = {
    projects: renderProjects([project({ name: HOSTILE, path: HOSTILE, hold: HOSTILE })]),
    project: renderProject(
      project({ name: HOSTILE, path: HOSTILE, agent: HOSTILE, model: HOSTILE, notices: [HOSTILE] }),
      out,
    ),
    agents: renderAgents([agent({ name: HOSTILE, displayName: HOSTILE, model: HOSTILE })]),
    agent: renderAgent(agent({ name: HOSTILE, displayName: HOSTILE, model: HOSTILE })),
    tasks: renderTasks([task({ project: HOSTILE, title: HOSTILE, step: HOSTILE })]),
    task: renderTask(task({ project: HOSTILE, title: HOSTILE, branch: HOSTILE, worktree: HOSTILE }), out),
  };
  for (const [name, text] of Object.entries(views)) {
    expect(text, name).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(text, name).not.toMatch(/^second line/m);
    expect(text, name).toContain('\u241B]0;owned');
  }
});
