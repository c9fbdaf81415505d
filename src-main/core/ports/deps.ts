import type {
  Artifacts,
  ChangeFeed,
  Clock,
  DiskSpace,
  Guardian,
  HashText,
  Ids,
  KillFile,
  Log,
  Processes,
} from './world.ts';
import type { CommandRunner } from './commands.ts';
import type { Executor } from './harness.ts';
import type { Leftovers } from './leftovers.ts';
import type { Stores } from './stores.ts';
import type { Workspaces } from './workspaces.ts';

/** Everything of the world that the core reaches, built once by the host. */
export interface CoreDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly hash: HashText;
  readonly log: Log;
  readonly processes: Processes;
  readonly guardian: Guardian;
  readonly killFile: KillFile;
  readonly artifacts: Artifacts;
  readonly disk: DiskSpace;
  readonly executor: Executor;
  readonly commands: CommandRunner;
  readonly workspaces: Workspaces;
  /** Absent where nothing ever leaves a tree. */
  readonly leftovers?: Leftovers;
  readonly feed: ChangeFeed;
  /** False for a command that acts without a hub: nothing is launched, cleaned or merged then. */
  readonly isHub: boolean;
}
