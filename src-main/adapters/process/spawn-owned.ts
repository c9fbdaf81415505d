/** The one place that starts processes. The contract is in `spawner.ts`. */
export type {
  ChildEnding,
  ChildInput,
  CommandSpec,
  Finished,
  OwnedChild,
  OwnedSpec,
  SpawnFailure,
  Spawner,
  WriteOutcome,
} from './spawner.ts';
