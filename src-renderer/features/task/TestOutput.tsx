import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskTestRunView } from '../../../src-shared/api/timeline.ts';
import { useCall } from '../../api/api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Loading } from '../../components/Loading.tsx';
import { ProgramOutput } from '../../components/ProgramOutput.tsx';
import { useFormat } from '../../i18n/index.ts';

/** Runs of the test and set-up commands, the newest first. */
export function TestOutput({ task }: { task: number }) {
  const { t } = useTranslation('task');
  const { data, error, refetch } = useCall('task.tests', { task });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <section className="task-pane grow" tabIndex={0} aria-label={t('tab_tests')}>
      {data.length === 0 && <p className="t3 small">{t('noTests')}</p>}
      {[...data].reverse().map((run) => (
        <Run key={run.id} run={run} />
      ))}
    </section>
  );
}

function Run({ run }: { run: TaskTestRunView }) {
  const { t } = useTranslation('task');
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const whole = useCall('task.testOutput', { run: run.id }, { enabled: isWhole }).data;
  return (
    <section className="sec">
      <h2>
        <span className={run.state === 'passed' ? 'c-ok' : run.state === 'running' ? 'c-run' : 'c-stop'}>
          {t(`run_${run.state}`)}
        </span>
        <span>
          {t(run.purpose === 'setup' ? 'setupRun' : 'testRun')} · {format.dateTime(run.startedAt)}
          {run.durationMs !== null && ` · ${format.length(run.durationMs)}`}
          {run.exitCode !== null && ` · ${t('exitCode', { code: run.exitCode })}`}
          {run.lockWaitMs > 0 && ` · ${t('waitedForLocks', { length: format.length(run.lockWaitMs) })}`}
        </span>
      </h2>
      {run.command !== null && <code className="small t2">{run.command.join(' ')}</code>}
      <ProgramOutput
        text={whole?.text ?? run.tail}
        lines={whole === undefined ? (run.state === 'passed' ? 3 : 30) : null}
      />
      {run.hasOutput && whole === undefined && (
        <button type="button" className="link small" onClick={() => setWhole(true)}>
          {t('fullOutput')}
        </button>
      )}
      {whole !== undefined && whole.nextOffset !== null && (
        <p className="small t3">
          {t('outputCut', { shown: format.number(whole.text.length), total: format.number(whole.total) })}
        </p>
      )}
    </section>
  );
}
