import type { ReactNode } from 'react';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { useCall, useConnection } from '../../api/api.tsx';
import { useSummary } from '../../app/use-summary.ts';
import { ActionsDetail } from './ActionsDetail.tsx';
import { ApprovalDetail } from './ApprovalDetail.tsx';
import { ClosedDetail } from './ClosedDetail.tsx';
import type { DetailProps } from './detail-props.ts';
import { GateDetail } from './GateDetail.tsx';
import { PermissionDetail } from './PermissionDetail.tsx';
import { QuestionDetail } from './QuestionDetail.tsx';
import { useGuard } from './use-guard.ts';
import { useRespond } from './use-respond.tsx';

interface Props {
  readonly item: ItemView;
  /** A response is stored. */
  readonly onStored: (item: ItemView) => void;
}

/** The right side for one item, by its kind; once it is closed, what became of it. */
export function ItemDetail({ item, onStored }: Props) {
  const context = useCall('inbox.context', { item: item.number });
  const respond = useRespond(item, onStored);
  const guard = useGuard(item.number);
  const isOffline = useConnection() !== 'open';
  const isKilled = (useSummary()?.killed ?? null) !== null;
  const props: DetailProps = {
    item,
    context: context.data,
    respond,
    guard,
    isDisabled: isOffline || respond.isPending,
    isKilled,
  };
  return item.state === 'open' ? open(props) : <ClosedDetail {...props} />;
}

function open(props: DetailProps): ReactNode {
  switch (props.item.kind) {
    case 'specify':
      return <QuestionDetail {...props} />;
    case 'approve':
      return <ApprovalDetail {...props} />;
    case 'gate':
      return <GateDetail {...props} />;
    case 'permission':
      return <PermissionDetail {...props} />;
    case 'review':
    case 'manual':
      return <ActionsDetail {...props} />;
  }
}
