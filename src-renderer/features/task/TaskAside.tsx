import { useTranslation } from 'react-i18next';
import type { TaskView } from '../../../src-shared/api/task.ts';
import type { TaskHarnessView } from '../../../src-shared/api/timeline.ts';
import { useCall } from '../../api/api.tsx';
import { StateMark } from '../../components/StateMark.tsx';
import { useFormat } from '../../i18n/index.ts';

interface Props {
  readonly task: TaskView;
  readonly harness: TaskHarnessView | undefined;
}

/** Facts beside the views of a task. What no harness reported is left out, never shown as 0. */
export function TaskAside({ task, harness }: Props) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const project = useCall('project.show', { project: task.projectId }).data;
  const { data: report } = useCall('report.relay', { projects: [task.projectId] });
  const relay = report?.tasks.find((each) => each.taskId === task.id);
  const facts: [string, string | undefined][] = [
    [t('created'), format.dateTime(task.createdAt)],
    [t('branch'), task.branch ?? undefined],
    [t('session'), task.sessionId?.slice(0, 8)],
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
    <aside className="aside" aria-label={t('about')}>
      <h2>{t('taskNumber', { number: task.number })}</h2>
      <dl className="kv">
        <dt>{t('state')}</dt>
        <dd>
          <StateMark state={task.state} />
          {task.endedReason !== null && <p className="small t2">{task.endedReason}</p>}
        </dd>
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
            <dt>{t('perCall')}</dt>
            <dd>{format.usd(project.caps.perCallUsd)}</dd>
            <dt>{t('time')}</dt>
            <dd>{format.length(project.caps.callTimeoutS * 1000)}</dd>
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
      <h2>{t('youAsked')}</h2>
      <div className="you small pre">{task.description}</div>
    </aside>
  );
}
