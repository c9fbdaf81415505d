import type { InboxContextView } from '../../../src-shared/api/inbox-context.ts';
import type { ItemView } from '../../../src-shared/api/item.ts';
import type { Guard } from './use-guard.ts';
import type { Respond } from './use-respond.tsx';

/** What the detail of every kind gets. */
export interface DetailProps {
  readonly item: ItemView;
  /** Undefined while it is being asked for. */
  readonly context: InboxContextView | undefined;
  readonly respond: Respond;
  readonly guard: Guard;
  /** Nothing can be answered now: no connection, or a response is under way. */
  readonly isDisabled: boolean;
  /** Answers are stored, and delivered once the kill switch is released. */
  readonly isKilled: boolean;
}
