import type { Ids } from '../../src-main/core/ports/world.ts';
import type { DeliveryId, IdKind, IdOfKind, SessionId } from '../../src-shared/ids.ts';
import { ID_PREFIX } from '../../src-shared/ids.ts';

/**
 * Ids that count up, so that tests can name them: `tsk_0000…0001`, and UUIDs that end in the count. Like the
 * real ones they sort by the time they were made and are plain lower-case ASCII of the same length.
 */
export class TestIds implements Ids {
  private readonly counts = new Map<string, number>();
  private readonly seed: number;

  /** @param seed tells two sources apart that must not meet, such as two hubs in one test; 0 to 255 */
  constructor(seed = 0) {
    this.seed = seed;
  }

  next<K extends IdKind>(kind: K): IdOfKind[K] {
    const seed = this.seed.toString(16).padStart(2, '0');
    const id = `${ID_PREFIX[kind]}${seed}${String(this.count(kind)).padStart(24, '0')}`;
    // The brand only says which kind it is, and the kind was asked for.
    return id as unknown as IdOfKind[K];
  }

  sessionId(): SessionId {
    return this.uuid('5', this.count('session')) as SessionId;
  }

  deliveryId(): DeliveryId {
    return this.uuid('d', this.count('delivery')) as DeliveryId;
  }

  private uuid(first: string, count: number): string {
    const seed = this.seed.toString(16).padStart(2, '0');
    return `${first.repeat(6)}${seed}-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
  }

  private count(of: string): number {
    const count = (this.counts.get(of) ?? 0) + 1;
    this.counts.set(of, count);
    return count;
  }
}
