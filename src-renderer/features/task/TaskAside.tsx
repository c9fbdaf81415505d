import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TaskHarnessView, TurnView } from '../../../src-shared/api/timeline.ts';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { useCall } from '../../api/api.tsx';
import { filesOf } from '../../components/diff/diff-files.ts';
import { endedWords } from '../../components/reasons.ts';
import { SafeLine, SafeText } from '../../components/SafeText.tsx';
import { useCopy } from '../../hooks/use-copy.ts';
import { useNow } from '../../hooks/use-now.ts';
import { StateMark } from '../../components/StateMark.tsx';
import { useFormat } from '../../i18n/index.ts';

interface Props {
  readonly task: TaskView;
  readonly harness: TaskHarnessView | undefined;
  readonly turns: readonly TurnView[];
  /** As a view of its own, without the others beside it. */
  readonly isWide: boolean;
}

/** Facts beside the views of a task. What no harness reported is left out, never shown as 0. */
export function TaskAside({ task, harness, turns, isWide }: Props) {
  const { t } = useTranslation('task');
  const { t: tReasons } = useTranslation(['reasons', 'inbox']);
  const format = useFormat();
  const project = useCall('project.show', { project: task.projectId }).data;
  const { data: report } = useCall('report.relay', { projects: [task.projectId] });
  const relay = report?.tasks.find((each) => each.taskId === task.id);
  const facts: [string, string | undefined][] = [
    [t('created'), format.dateTime(task.createdAt)],
    [t('agentHead'), harness?.agentName],
    [t('model'), harness?.effectiveModel ?? harness?.model],
    [t('version'), harness?.version],
    [t('executable'), harness?.executable],
    [
      t('context'),
      harness?.contextTokens === undefined
        ? undefined
        : t('tokens', { count: format.number(harness.contextTokens) }),
    ],
    [
      t('tokensHead'),
      harness?.tokens === undefined
        ? undefined
        : t('tokensInOut', {
            input: format.number(harness.tokens.input + harness.tokens.cacheRead + harness.tokens.cacheWrite),
            output: format.number(harness.tokens.output),
          }),
    ],
  ];
  return (
    <aside className={clsx('aside', isWide && 'wide-aside')} aria-label={t('about')}>
      <h2>{t('taskNumber', { number: task.number })}</h2>
      <dl className="kv">
        <dt>{t('state')}</dt>
        <dd>
          <StateMark state={task.state} />
          {task.endedReason !== null && <p className="small t2">{endedWords(tReasons, task.endedReason)}</p>}
        </dd>
        {task.branch !== null && (
          <>
            <dt>{t('branch')}</dt>
            <dd className="mono">{task.branch}</dd>
          </>
        )}
        {task.sessionId !== null && <Session id={task.sessionId} />}
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name} className="kv-pair">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {project !== undefined && (
        <>
          <h2>{t('caps')}</h2>
          <dl className="kv">
            <ThisCall
              turns={turns}
              perCallUsd={project.caps.perCallUsd}
              timeoutMs={project.caps.callTimeoutS * 1000}
            />
            <dt>{t('questions')}</dt>
            <dd>{t('of', { used: task.questions, cap: project.caps.maxQuestions })}</dd>
            <dt>{t('attempts')}</dt>
            <dd>{t('of', { used: task.countedAttempts, cap: project.caps.maxAttempts })}</dd>
          </dl>
        </>
      )}
      <h2>{t('costAndTime')}</h2>
      <dl className="kv">
        <dt>{t('soFar')}</dt>
        <dd>
          {t('estimate', { amount: format.usd(task.costUsd) })}
          {task.assumedUsd > 0 && (
            <span className="t3"> {t('ofItAssumed', { amount: format.usd(task.assumedUsd) })}</span>
          )}
        </dd>
        {turns.length > 0 && (
          <>
            <dt>{t('worked')}</dt>
            <dd>
              <Worked turns={turns} />
            </dd>
          </>
        )}
        {relay !== undefined && (
          <>
            <dt>{t('waitedHead')}</dt>
            <dd>
              {t('waitedForYou', {
                length: format.length(relay.waitedS.reduce((sum, each) => sum + each, 0) * 1000),
              })}
              {relay.lockWaitS > 0 &&
                `, ${t('waitedForLocks', { length: format.length(relay.lockWaitS * 1000) })}`}
            </dd>
          </>
        )}
      </dl>
      <ChangedFiles task={task} />
      <h2>{t('youAsked')}</h2>
      <div className="you small pre">
        <SafeText text={task.description === '' ? task.title : task.description} />
      </div>
    </aside>
  );
}

function Session({ id }: { id: string }) {
  const { t } = useTranslation('task');
  const copy = useCopy();
  return (
    <>
      <dt>{t('session')}</dt>
      <dd>
        <span title={id}>{id.slice(0, 8)}</span>{' '}
        <button type="button" className="link" aria-label={t('copySession')} onClick={() => void copy(id)}>
          {t('copy')}
        </button>
      </dd>
    </>
  );
}

interface ThisCallProps {
  readonly turns: readonly TurnView[];
  readonly perCallUsd: number;
  readonly timeoutMs: number;
}

/** The newest call against what it may take; its cost is known when it has ended. */
function ThisCall({ turns, perCallUsd, timeoutMs }: ThisCallProps) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const now = useNow();
  const last = turns.at(-1);
  if (last === undefined) {
    return (
      <>
        <dt>{t('perCall')}</dt>
        <dd>{t('upTo', { amount: format.usd(perCallUsd) })}</dd>
        <dt>{t('time')}</dt>
        <dd>{t('upTo', { amount: format.length(timeoutMs) })}</dd>
      </>
    );
  }
  const isLive = last.state === 'running';
  const ms = (last.endedAt === null ? now : Date.parse(last.endedAt)) - Date.parse(last.startedAt);
  return (
    <>
      <dt>{t(isLive ? 'thisCall' : 'lastCall')}</dt>
      <dd>
        {isLive
          ? t('upTo', { amount: t('estimate', { amount: format.usd(perCallUsd) }) })
          : t('ofEstimate', { used: format.usd(last.costUsd), cap: format.usd(perCallUsd) })}
        {!isLive && <Meter part={last.costUsd / perCallUsd} />}
      </dd>
      <dt>{t('time')}</dt>
      <dd>
        {t('of', { used: format.length(ms), cap: format.length(timeoutMs) })}
        <Meter part={ms / timeoutMs} />
      </dd>
    </>
  );
}

/** A picture of the numbers beside it. */
const Meter = ({ part }: { part: number }) => (
  <div className="meter" aria-hidden="true">
    <i style={{ width: `${Math.round(Math.min(1, Math.max(0, part)) * 100)}%` }} />
  </div>
);

/** Time that turns took; those that run count on. */
function Worked({ turns }: { turns: readonly TurnView[] }) {
  const format = useFormat();
  const now = useNow();
  const ms = turns.reduce(
    (sum, turn) =>
      sum + (turn.endedAt === null ? now : Date.parse(turn.endedAt)) - Date.parse(turn.startedAt),
    0,
  );
  return format.length(ms);
}

/** States in which a task can have a tree. */
const WITH_TREE: ReadonlySet<TaskView['state']> = new Set([
  'running',
  'testing',
  'awaiting_human',
  'awaiting_approval',
  'parked',
]);

function ChangedFiles({ task }: { task: TaskView }) {
  const { t } = useTranslation('task');
  const hasTree = WITH_TREE.has(task.state) && task.worktree !== null;
  const diff = useCall('task.diff', { task: task.id }, { enabled: hasTree }).data?.diff;
  const files = useMemo(() => (diff === undefined ? [] : (filesOf(diff) ?? [])), [diff]);
  if (!hasTree || files.length === 0) return null;
  return (
    <>
      <h2>
        {t('changedFiles')} {task.commit === null && <span className="t3">{t('notCommitted')}</span>}
      </h2>
      <ul className="changed">
        {files.map(({ path, added, removed }) => (
          <li key={path}>
            <Link className="clip grow" href={`/task/${task.number}/diff`} title={path}>
              <SafeLine text={path} />
            </Link>
            <span className="sgn">
              <span className="c-ok">+{added}</span> <span className="c-stop">−{removed}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
