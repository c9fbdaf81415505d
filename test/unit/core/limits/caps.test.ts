import { expect, test } from 'vitest';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import { projectCaps } from '../../../../src-main/core/limits/caps.ts';
import { makeProject, makeSpike } from '../../../support/core-builders.ts';

test('a project without settings has the defaults, each named as such', () => {
  expect(projectCaps(makeProject(), DEFAULT_AGENT, null)).toEqual({
    budgetMicroUsd: { value: 10_000_000, source: 'default' },
    perCallMicroUsd: { value: 500_000, source: 'default' },
    callsPerDay: { value: 20, source: 'default' },
    maxQuestions: { value: 3, source: 'default' },
    maxAttempts: { value: 3, source: 'default' },
    callTimeoutS: { value: 900, source: 'default' },
  });
});

test("a project's own values are named, and hold only within the agent's", () => {
  const project = makeProject({
    settings: {
      budgetUsd: 2.5,
      perCallUsd: 0.25,
      callsPerDay: 30,
      maxQuestions: 0,
      maxAttempts: 1,
      callTimeoutS: 60,
    },
  });
  const agent = { ...DEFAULT_AGENT, callsPerDay: 5, callTimeoutS: 300 };
  expect(projectCaps(project, agent, null)).toEqual({
    budgetMicroUsd: { value: 2_500_000, source: 'project' },
    perCallMicroUsd: { value: 250_000, source: 'project' },
    callsPerDay: { value: 5, source: 'agent' },
    maxQuestions: { value: 0, source: 'project' },
    maxAttempts: { value: 1, source: 'project' },
    callTimeoutS: { value: 60, source: 'project' },
  });
});

test('an agent that is off leaves no calls whatever the project says', () => {
  const project = makeProject({ settings: { callsPerDay: 8 } });
  const caps = projectCaps(project, { ...DEFAULT_AGENT, callsPerDay: 0 }, null);
  expect(caps.callsPerDay).toEqual({ value: 0, source: 'agent' });
});

test('a running spike narrows the budget and sets the calls of its own projects', () => {
  const project = makeProject();
  const spike = makeSpike({
    projectIds: [project.id],
    budgetMicroUsd: 3_000_000,
    callsPerDay: 7,
    callsBefore: 0,
  });
  const caps = projectCaps(project, { ...DEFAULT_AGENT, callsPerDay: 7 }, spike);
  expect({ budget: caps.budgetMicroUsd, calls: caps.callsPerDay }).toEqual({
    budget: { value: 3_000_000, source: 'spike' },
    calls: { value: 7, source: 'spike' },
  });
});

test('a spike budget wider than the project budget changes nothing', () => {
  const project = makeProject({ settings: { budgetUsd: 1 } });
  const spike = makeSpike({ projectIds: [project.id], budgetMicroUsd: 3_000_000 });
  expect(projectCaps(project, DEFAULT_AGENT, spike).budgetMicroUsd).toEqual({
    value: 1_000_000,
    source: 'project',
  });
});

test('a project outside the spike keeps the number of calls from before it', () => {
  const other = makeProject();
  const inSpike = makeProject();
  const spike = makeSpike({ projectIds: [inSpike.id], callsPerDay: 7, callsBefore: 0 });
  const duringSpike = { ...DEFAULT_AGENT, callsPerDay: 7 };
  expect(projectCaps(other, duringSpike, spike).callsPerDay).toEqual({ value: 0, source: 'agent' });
});

test('a number that a person sets during the spike holds for everybody', () => {
  const other = makeProject();
  const inSpike = makeProject();
  const spike = makeSpike({ projectIds: [inSpike.id], callsPerDay: 7, callsBefore: 20 });
  const changed = { ...DEFAULT_AGENT, callsPerDay: 2 };
  expect([
    projectCaps(other, changed, spike).callsPerDay,
    projectCaps(inSpike, changed, spike).callsPerDay,
  ]).toEqual([
    { value: 2, source: 'agent' },
    { value: 2, source: 'agent' },
  ]);
});

test('a spike that has ended counts for nothing', () => {
  const project = makeProject();
  const spike = makeSpike({ projectIds: [project.id], budgetMicroUsd: 1, callsPerDay: 1, endedAt: 5 });
  expect(projectCaps(project, DEFAULT_AGENT, spike)).toEqual(projectCaps(project, DEFAULT_AGENT, null));
});
