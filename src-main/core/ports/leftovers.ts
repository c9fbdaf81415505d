import type { TaskId } from '../../../src-shared/ids.ts';
import type { EpochMs } from '../../../src-shared/time.ts';

/** Files that once had to leave a task's tree: what tests left behind, and what git cannot keep. */
export interface Leftover {
  readonly taskId: TaskId;
  readonly at: EpochMs;
}

export interface Leftovers {
  list(): Promise<readonly Leftover[]>;
  /** Removing what is not there is no error. */
  remove(leftover: Leftover): Promise<void>;
}
