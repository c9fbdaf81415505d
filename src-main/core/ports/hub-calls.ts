import type {
  CallInput,
  CallOutput,
  MutationName,
  QueryName,
  SubscriptionName,
} from '../../../src-shared/api/calls.ts';
import type { Disposable } from './world.ts';

export interface EventHandlers<Event> {
  /** In order, without gaps or doubles within one connection; after a loss the feed says `reset`. */
  onEvent(event: Event): void;
  /** The connection stands (again). */
  onStart?(): void;
  onError?(error: unknown): void;
}

/** The hub as a client sees it: the typed calls of the API, whatever lies between. Rejects with an AppError. */
export interface HubCalls {
  query<Name extends QueryName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  mutate<Name extends MutationName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  subscribe<Name extends SubscriptionName>(
    name: Name,
    input: CallInput<Name>,
    handlers: EventHandlers<CallOutput<Name>>,
  ): Disposable;
}
