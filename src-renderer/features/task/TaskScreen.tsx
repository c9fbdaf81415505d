import clsx from 'clsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TurnView } from '../../../src-shared/api/timeline.ts';
import { useCall } from '../../api/api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { useMedia } from '../../hooks/use-media.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { TaskActions } from './TaskActions.tsx';
import { TaskAside } from './TaskAside.tsx';
import { TaskDiff } from './TaskDiff.tsx';
import { TaskLedger } from './TaskLedger.tsx';
import { TestOutput } from './TestOutput.tsx';
import { Timeline } from './Timeline.tsx';
import { Transcript } from './Transcript.tsx';
import { useTurns } from './use-timeline.ts';

const TABS = ['timeline', 'transcript', 'diff', 'tests', 'ledger'] as const;
/** Where there is no room beside the views, what stands there is one of them. */
const NARROW_TABS = [...TABS, 'about'] as const;
type Tab = (typeof NARROW_TABS)[number];
const NARROW = '(max-width: 899px)';

interface Props {
  readonly number: string;
  readonly tab: string | undefined;
}

/** One task: what it did, said, changed, cost. */
export function TaskScreen({ number, tab: wanted }: Props) {
  const { t } = useTranslation('task');
  const { data: task, error, refetch } = useCall('task.show', { task: number });
  const harness = useCall('task.harness', { task: number }).data;
  const turns = useTurns(number);
  const isNarrow = useMedia(NARROW);
  const [isAloud, setAloud] = useState(false);
  const tabs: readonly Tab[] = isNarrow ? NARROW_TABS : TABS;
  const tab = tabs.find((each) => each === wanted) ?? 'timeline';
  if (error !== null && task === undefined) {
    return (
      <main className="main">
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  const agentName = harness?.agentName ?? t('agent');
  return (
    <main className="main">
      <div className="task-head">
        {task !== undefined && (
          <>
            <div className="row">
              <div className="grow dh">
                <div className="k">
                  <Link className="clip" href="/board">
                    <SafeLine text={task.project} />
                  </Link>
                  <span>·</span>
                  <span>{t('taskNumber', { number: task.number })}</span>
                  <span>·</span>
                  <StateMark state={task.state} />
                  <Elapsed task={task} turns={turns} />
                </div>
                <h1 className="clip">
                  <SafeLine text={task.title} />
                </h1>
              </div>
              <TaskActions task={task} isAloud={isAloud} onAloud={setAloud} />
            </div>
            <nav className="tabs" aria-label={t('views')}>
              {tabs.map((each) => (
                <Link
                  key={each}
                  className={clsx(each === tab && 'on')}
                  href={`/task/${task.number}${each === 'timeline' ? '' : `/${each}`}`}
                  {...(each === tab ? { 'aria-current': 'page' as const } : {})}
                >
                  {t(each === 'about' ? 'about' : `tab_${each}`)}
                </Link>
              ))}
            </nav>
          </>
        )}
      </div>
      <div className="task-body">
        {/* Asks for its events while the task itself is still under way. */}
        {tab === 'timeline' && (
          <Timeline number={number} task={task} turns={turns} agentName={agentName} isAloud={isAloud} />
        )}
        {task === undefined && tab !== 'timeline' && <Loading />}
        {task !== undefined && (
          <>
            {tab === 'transcript' && <Transcript task={task.number} agentName={agentName} />}
            {tab === 'diff' && <TaskDiff task={task} />}
            {tab === 'tests' && <TestOutput task={task.number} />}
            {tab === 'ledger' && <TaskLedger task={task.number} />}
            {(tab === 'about' || !isNarrow) && (
              <TaskAside task={task} harness={harness} turns={turns} isWide={isNarrow} />
            )}
          </>
        )}
      </div>
    </main>
  );
}

/** How long what goes on now has gone on. */
function Elapsed({ task, turns }: { task: TaskView; turns: readonly TurnView[] }) {
  const format = useFormat();
  const now = useNow();
  if (task.state !== 'running' && task.state !== 'testing') return null;
  const last = turns.at(-1);
  const since = last?.state === 'running' ? last.startedAt : task.updatedAt;
  return <time dateTime={since}>{format.elapsed(now - Date.parse(since))}</time>;
}
