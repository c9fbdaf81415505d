import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TranscriptEntryView } from '../../../src-shared/api/task.ts';
import { useCall } from '../../api/api.tsx';
import { AgentBlock } from '../../components/AgentBlock.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { useFormat } from '../../i18n/index.ts';

const PAGE = 200;

interface Props {
  readonly task: number;
  readonly agentName: string;
}

/** The conversation as Signalbox kept it, page by page from the beginning. */
export function Transcript({ task, agentName }: Props) {
  const { t } = useTranslation('task');
  /** Ids after which each page that is shown begins. */
  const [starts, setStarts] = useState<readonly number[]>([0]);
  return (
    <section className="task-pane grow" tabIndex={0} aria-label={t('tab_transcript')}>
      {starts.map((after, index) => (
        <Page
          key={after}
          task={task}
          agentName={agentName}
          after={after}
          isLast={index === starts.length - 1}
          onMore={(next) => setStarts([...starts, next])}
        />
      ))}
    </section>
  );
}

interface PageProps extends Props {
  readonly after: number;
  readonly isLast: boolean;
  readonly onMore: (after: number) => void;
}

function Page({ task, agentName, after, isLast, onMore }: PageProps) {
  const { t } = useTranslation('task');
  const { data, error, refetch } = useCall('task.transcript', { task, after, limit: PAGE });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  if (data.length === 0 && after === 0) return <p className="t3 small">{t('noTranscript')}</p>;
  const last = data.at(-1);
  return (
    <>
      {data.map((entry) => (
        <Entry key={entry.id} entry={entry} agentName={agentName} />
      ))}
      {isLast && data.length === PAGE && last !== undefined && (
        <button type="button" className="btn" onClick={() => onMore(last.id)}>
          {t('more')}
        </button>
      )}
    </>
  );
}

function Entry({ entry, agentName }: { entry: TranscriptEntryView; agentName: string }) {
  const { t } = useTranslation('task');
  const format = useFormat();
  if (entry.role === 'assistant' || entry.role === 'tool') {
    return <AgentBlock agent={agentName} text={entry.content} voice="reports" lines={18} isCompact />;
  }
  return (
    <div className={entry.role === 'person' ? 'you said' : 'said t2'}>
      <span className="who">
        {t(entry.role === 'person' ? 'person' : 'signalbox')} · {format.dateTime(entry.at)}
      </span>
      <p className="pre">{entry.content}</p>
    </div>
  );
}
