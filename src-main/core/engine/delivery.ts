import type { Turn } from '../../../src-shared/model/task.ts';
import type { CoreDeps } from '../ports/deps.ts';

type DeliveryDeps = Pick<CoreDeps, 'stores' | 'feed'>;

/** Shows on the item how far its answer has come; what was seen stays seen. */
export function setDelivery(
  deps: DeliveryDeps,
  turn: Turn,
  delivery: 'stored' | 'sending' | 'delivered' | 'seen',
): void {
  if (turn.item === null) return;
  const item = deps.stores.items.get(turn.item);
  if (item === null || item.delivery === delivery || item.delivery === 'seen') return;
  deps.stores.items.update({ ...item, delivery });
  deps.feed.itemChanged(item.number);
}

/** The model has said something after the prompt was written: it has seen it. */
export function markSeen(deps: DeliveryDeps, turn: Turn): void {
  deps.stores.transaction(() => {
    for (const launch of deps.stores.launches.ofTurn(turn.id)) {
      if (launch.state === 'sending' || launch.state === 'delivered')
        deps.stores.launches.update({ ...launch, state: 'seen' });
    }
    setDelivery(deps, turn, 'seen');
  });
}

/** The session's history holds the prompt: a later look will find it there. */
export function markDelivered(deps: DeliveryDeps, turn: Turn): void {
  deps.stores.transaction(() => {
    for (const launch of deps.stores.launches.ofTurn(turn.id)) {
      if (launch.state === 'sending') deps.stores.launches.update({ ...launch, state: 'delivered' });
    }
    setDelivery(deps, turn, 'delivered');
  });
}
