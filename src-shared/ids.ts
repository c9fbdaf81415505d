/**
 * Branded ids. Prefixed ids are ULIDs in lower case behind a prefix, so they sort by the time they were made
 * and are plain ASCII (they become folder names).
 */
export type Branded<T, Name extends string> = T & { readonly __brand: Name };

export type ProjectId = Branded<string, 'ProjectId'>;
export type TaskId = Branded<string, 'TaskId'>;
export type RunId = Branded<string, 'RunId'>;
export type AttemptId = Branded<string, 'AttemptId'>;
export type TurnId = Branded<string, 'TurnId'>;
export type LaunchId = Branded<string, 'LaunchId'>;
export type TestRunId = Branded<string, 'TestRunId'>;
export type SpikeId = Branded<string, 'SpikeId'>;
export type JournalId = Branded<string, 'JournalId'>;
/** Identity of a data directory, made once; the first half of every owner mark, so that leftovers of a dead hub are known. */
export type HubId = Branded<string, 'HubId'>;
/** The harness's own UUID of a resumable conversation. */
export type SessionId = Branded<string, 'SessionId'>;
/** The UUID that proves a prompt stands in a session's history. */
export type DeliveryId = Branded<string, 'DeliveryId'>;
/** Small number of an inbox item: from 1, one series per data directory, never reused. */
export type ItemNumber = Branded<number, 'ItemNumber'>;
/** Small number of a task: from 1, one series per data directory, never reused. */
export type TaskNumber = Branded<number, 'TaskNumber'>;

export const ID_PREFIX = {
  project: 'prj_',
  task: 'tsk_',
  run: 'run_',
  attempt: 'att_',
  turn: 'trn_',
  launch: 'lch_',
  testRun: 'tst_',
  spike: 'spk_',
  journal: 'jnl_',
  hub: 'hub_',
} as const;

export type IdKind = keyof typeof ID_PREFIX;

export interface IdOfKind {
  project: ProjectId;
  task: TaskId;
  run: RunId;
  attempt: AttemptId;
  turn: TurnId;
  launch: LaunchId;
  testRun: TestRunId;
  spike: SpikeId;
  journal: JournalId;
  hub: HubId;
}
