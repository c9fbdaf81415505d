import { randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from '../core/ports/world.ts';
import {
  ID_PREFIX,
  type DeliveryId,
  type IdKind,
  type IdOfKind,
  type SessionId,
} from '../../src-shared/ids.ts';

/**
 * Prefixed ULIDs in lower case, and UUIDs for what the harness sees. Ids of one factory sort in the order in which
 * they were made, also within a millisecond and when the clock goes back.
 */
export function createRandomIds(clock: Clock): Ids {
  const nextUlid = monotonicFactory();
  let latest = 0;
  return {
    next: <K extends IdKind>(kind: K): IdOfKind[K] => {
      latest = Math.max(latest, clock.now());
      return `${ID_PREFIX[kind]}${nextUlid(latest).toLowerCase()}` as unknown as IdOfKind[K];
    },
    sessionId: () => randomUUID() as SessionId,
    deliveryId: () => randomUUID() as DeliveryId,
  };
}
