import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { byName, useSummary } from '../../app/use-summary.ts';
import { AddTaskDialog } from '../board/AddTaskDialog.tsx';
import { Step } from './Step.tsx';
import { leaveFirstRun } from './use-first-run.ts';

const DEMO = 'npm run demo';

interface Props {
  readonly state: 'now' | 'next';
  /** Project of the first task; the first by name when null. */
  readonly project: string | null;
}

/** A first task, or the demo, which brings its own everything and costs nothing. */
export function StartStep({ state, project }: Props) {
  const { t } = useTranslation('first');
  const [, navigate] = useLocation();
  const projects = byName(useSummary()?.projects ?? []);
  const [isAdding, setAdding] = useState(false);
  const [copied, setCopied] = useState<boolean | null>(null);
  const target = project ?? projects[0]?.name ?? null;
  const leave = (place: string): void => {
    leaveFirstRun();
    navigate(place);
  };
  const copy = (): void => {
    navigator.clipboard.writeText(DEMO).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <Step number={3} title={t('start')} state={state}>
      <p className={state === 'now' ? 't2' : ''}>{t('startText')}</p>
      <div className="fr demo">
        <span className="t2">{t('demo')}</span>
        <span>
          <code>{DEMO}</code>
          <span className="small t3 note" role="status">
            {copied === null ? t('demoNote') : t(copied ? 'copied' : 'notCopied')}
          </span>
        </span>
        <button type="button" className="btn" onClick={copy}>
          {t('copy')}
        </button>
      </div>
      <div className="row step-acts">
        <button
          type="button"
          className={state === 'now' ? 'btn lg primary' : 'btn lg'}
          disabled={target === null}
          onClick={() => setAdding(true)}
        >
          {t('firstTask')}
        </button>
        <button type="button" className="btn lg quiet" onClick={() => leave('/inbox')}>
          {t('skip')}
        </button>
      </div>
      {isAdding && target !== null && (
        <AddTaskDialog
          project={target}
          onClose={() => {
            setAdding(false);
            leave('/board');
          }}
        />
      )}
    </Step>
  );
}
