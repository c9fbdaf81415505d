import clsx from 'clsx';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TaskView } from '../../../src-shared/api/task.ts';
import { useAction, useCall } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { Confirm } from '../../components/Confirm.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { TaskAside } from './TaskAside.tsx';
import { TaskDiff } from './TaskDiff.tsx';
import { TaskLedger } from './TaskLedger.tsx';
import { TestOutput } from './TestOutput.tsx';
import { Timeline } from './Timeline.tsx';
import { Transcript } from './Transcript.tsx';

const TABS = ['timeline', 'transcript', 'diff', 'tests', 'ledger'] as const;
type Tab = (typeof TABS)[number];
const tabOf = (text: string | undefined): Tab => TABS.find((tab) => tab === text) ?? 'timeline';

interface Props {
  readonly number: string;
  readonly tab: string | undefined;
}

/** One task: what it did, said, changed, cost. */
export function TaskScreen({ number, tab: wanted }: Props) {
  const { t } = useTranslation('task');
  const { data: task, error, refetch } = useCall('task.show', { task: number });
  const harness = useCall('task.harness', { task: number }).data;
  const tab = tabOf(wanted);
  if (error !== null && task === undefined) {
    return (
      <main className="main">
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </main>
    );
  }
  if (task === undefined) {
    return (
      <main className="main">
        <Loading />
      </main>
    );
  }
  return (
    <main className="main">
      <div className="task-head">
        <div className="row">
          <div className="grow dh">
            <div className="k">
              <Link href="/board">
                <bdi>{task.project}</bdi>
              </Link>
              <span>·</span>
              <span>{t('taskNumber', { number: task.number })}</span>
              <span>·</span>
              <StateMark state={task.state} />
            </div>
            <h1 className="clip">
              <SafeLine text={task.title} />
            </h1>
          </div>
          <TaskActions task={task} />
        </div>
        <nav className="tabs" aria-label={t('views')}>
          {TABS.map((each) => (
            <Link
              key={each}
              className={clsx(each === tab && 'on')}
              href={`/task/${task.number}${each === 'timeline' ? '' : `/${each}`}`}
              {...(each === tab ? { 'aria-current': 'page' as const } : {})}
            >
              {t(`tab_${each}`)}
            </Link>
          ))}
        </nav>
      </div>
      <div className="task-body">
        {tab === 'timeline' && (
          <Timeline key={task.id} task={task.number} agentName={harness?.agentName ?? t('agent')} />
        )}
        {tab === 'transcript' && (
          <Transcript task={task.number} agentName={harness?.agentName ?? t('agent')} />
        )}
        {tab === 'diff' && <TaskDiff task={task.number} />}
        {tab === 'tests' && <TestOutput task={task.number} />}
        {tab === 'ledger' && <TaskLedger task={task.number} />}
        <TaskAside task={task} harness={harness} />
      </div>
    </main>
  );
}

/** How long a first press waits for the second. */
const ARMED_MS = 3000;
const STOPPABLE: ReadonlySet<TaskView['state']> = new Set(['running', 'testing']);
const RESUMABLE: ReadonlySet<TaskView['state']> = new Set(['parked', 'failed', 'cancelled']);

function TaskActions({ task }: { task: TaskView }) {
  const { t } = useTranslation('task');
  const { say } = useToast();
  const onError = (error: Error): void => say(error.message);
  const interrupt = useAction('task.interrupt');
  const cancel = useAction('task.cancel');
  const retry = useAction('task.retry');
  const submit = useAction('task.submit');
  const [isArmed, setArmed] = useState(false);
  const timer = useRef<number | null>(null);
  useEffect(() => () => void (timer.current !== null && window.clearTimeout(timer.current)), []);
  const input = { task: task.id };
  const isOver = task.state === 'done' || task.state === 'cancelled' || task.state === 'failed';
  return (
    <>
      {task.openItems.map((number) => (
        <Link key={number} className="btn" href={`/inbox/${number}`}>
          <Icon name="waiting" isSmall />
          {t('item', { number })}
        </Link>
      ))}
      {STOPPABLE.has(task.state) && (
        <button
          type="button"
          className={clsx('btn', isArmed && 'fill-stop')}
          disabled={interrupt.isPending}
          onClick={() => {
            if (isArmed) {
              setArmed(false);
              interrupt.mutate(input, { onError });
              return;
            }
            setArmed(true);
            timer.current = window.setTimeout(() => setArmed(false), ARMED_MS);
          }}
        >
          {isArmed ? t('interruptAgain') : t('interrupt')}
        </button>
      )}
      {task.state === 'draft' && (
        <button type="button" className="btn primary" onClick={() => submit.mutate(input, { onError })}>
          {t('submit')}
        </button>
      )}
      {RESUMABLE.has(task.state) && (
        <button type="button" className="btn" onClick={() => retry.mutate(input, { onError })}>
          {t('resume')}
        </button>
      )}
      {!isOver && (
        <Confirm
          title={t('cancelTitle')}
          text={t('cancelText')}
          act={t('cancelTask')}
          onConfirm={() => cancel.mutate(input, { onError })}
        >
          <button type="button" className="btn">
            {t('cancelTask')}
          </button>
        </Confirm>
      )}
    </>
  );
}
