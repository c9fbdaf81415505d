import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../api/api.tsx';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { DiffView } from '../../components/diff/DiffView.tsx';
import type { LineNote } from '../../components/diff/line-notes.ts';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { Output } from '../../components/Output.tsx';
import { useKept } from '../../hooks/use-kept.ts';
import { ApprovalActions } from './ApprovalActions.tsx';
import { ApprovalFacts } from './ApprovalFacts.tsx';
import { ApprovalTests } from './ApprovalTests.tsx';
import { DetailFrame } from './DetailFrame.tsx';
import { DetailHead } from './DetailHead.tsx';
import type { DetailProps } from './detail-props.ts';

const NO_NOTES: readonly LineNote[] = [];
const SUMMARY_LINES = 18;

/** `approve`: what the agent says it did, how the tests went, and every line that would be merged. */
export function ApprovalDetail(props: DetailProps) {
  const { item, context } = props;
  const { t } = useTranslation('inbox');
  // Notes are about this commit: the next offer begins without them.
  const [notes, setNotes] = useKept(`line-notes.${item.number}.${item.commit ?? ''}`, NO_NOTES);
  const offer = item.offer;
  const [lookedAt, setLookedAt] = useState({ item: item.number, commit: item.commit });
  if (lookedAt.item !== item.number) setLookedAt({ item: item.number, commit: item.commit });
  const isOtherOffer = lookedAt.item === item.number && lookedAt.commit !== item.commit;
  return (
    <DetailFrame
      item={item}
      actions={
        <ApprovalActions
          key={item.number}
          {...props}
          notes={notes}
          baseBranch={context?.facts.baseBranch ?? null}
          merge={context?.facts.merge ?? null}
        />
      }
    >
      <DetailHead item={item} context={context} />
      {isOtherOffer && (
        <p className="notice" role="status">
          {t('staleOffer')}
        </p>
      )}
      <ApprovalFacts item={item} context={context} />
      <AgentBlock
        key={item.number}
        agent={item.agentName ?? item.raisedByName}
        text={item.summary}
        voice="reports"
        lines={SUMMARY_LINES}
        isCompact
      />
      {offer !== null && offer.notes.length > 0 && (
        <section className="sec">
          <h2>{t('notes')}</h2>
          <Output text={offer.notes.join('\n')} label={t('notes')} />
        </section>
      )}
      <ApprovalTests key={`tests ${item.number}`} item={item} />
      <Changes {...props} notes={notes} onNotes={setNotes} />
    </DetailFrame>
  );
}

interface ChangesProps extends DetailProps {
  readonly notes: readonly LineNote[];
  readonly onNotes: (notes: readonly LineNote[]) => void;
}

function Changes({ item, notes, onNotes }: ChangesProps) {
  const { t } = useTranslation('inbox');
  const task = item.taskNumber ?? 0;
  const { data, error, refetch } = useCall('task.diff', { task }, { enabled: item.taskNumber !== null });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={4} />;
  return (
    <DiffView
      key={item.number}
      diff={data.diff}
      title={t('changes')}
      keptAs={`item-${item.number}`}
      empty={t('noChanges')}
      notes={notes}
      onNotes={onNotes}
    />
  );
}
