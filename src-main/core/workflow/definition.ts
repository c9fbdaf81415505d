/**
 * A workflow is a list of steps with named outcomes; the engine never branches on which workflow it is. The
 * relay is the first, built-in one. New kinds of steps get a row in `engine/step-kinds.ts`.
 */
export type StepKind = 'agent' | 'commit' | 'test' | 'human-gate' | 'merge';

export interface StepDefinition {
  readonly id: string;
  readonly kind: StepKind;
  /** Outcome of the step → the step that follows, or `end`. An outcome without a row rests the run. */
  readonly on: Readonly<Record<string, string>>;
}

export interface WorkflowDefinition {
  readonly name: string;
  readonly first: string;
  readonly steps: readonly StepDefinition[];
}

export const END = 'end';

/** Question, answer, resume; validate, commit, test, approve, merge (10-relay, Flow). */
export const RELAY: WorkflowDefinition = {
  name: 'relay',
  first: 'work',
  steps: [
    { id: 'work', kind: 'agent', on: { done: 'commit' } },
    { id: 'commit', kind: 'commit', on: { committed: 'test', unchanged: 'approve' } },
    { id: 'test', kind: 'test', on: { passed: 'approve', failed: 'work' } },
    { id: 'approve', kind: 'human-gate', on: { approved: 'merge', 'sent-back': 'work', rejected: END } },
    { id: 'merge', kind: 'merge', on: { merged: END, 'base-moved': 'retest' } },
    { id: 'retest', kind: 'test', on: { passed: 'merge', failed: 'work' } },
  ],
};

const WORKFLOWS: Readonly<Record<string, WorkflowDefinition>> = { relay: RELAY };

/** @throws Error for a workflow that no run can have: a bug */
export function workflowNamed(name: string): WorkflowDefinition {
  const found = WORKFLOWS[name];
  if (found === undefined) throw new Error(`No workflow is called ${name}.`);
  return found;
}

export function stepOf(workflow: WorkflowDefinition, id: string): StepDefinition {
  const found = workflow.steps.find((step) => step.id === id);
  if (found === undefined) throw new Error(`Workflow ${workflow.name} has no step ${id}.`);
  return found;
}

/** @returns id of the step after this outcome, or `end`. @throws Error for an outcome the step does not name */
export function stepAfter(workflow: WorkflowDefinition, id: string, outcome: string): string {
  const next = stepOf(workflow, id).on[outcome];
  if (next === undefined) throw new Error(`Step ${id} of ${workflow.name} has no outcome ${outcome}.`);
  return next;
}
