import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { useCall } from '../../api/api.tsx';
import { ErrorPanel } from '../../components/ErrorPanel.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Loading } from '../../components/Loading.tsx';
import { Output } from '../../components/Output.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';
import { testsOf } from './ApprovalFacts.tsx';

/** Lines of the output that are shown at once. */
const [LINES_PASSED, LINES_FAILED] = [3, 30];

/** The test run behind an offer: its end at once, all of it on request. */
export function ApprovalTests({ item }: { item: ItemView }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const [isOpen, setOpen] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const { testRun, testTail } = item;
  if (testRun === null) return null;
  const command = testRun.command?.join(' ') ?? '';
  const length =
    testRun.endedAt === null ? null : Date.parse(testRun.endedAt) - Date.parse(testRun.startedAt);
  const isFailed = testsOf(item) === 'failed';
  const words = isFailed ? t('testsFailed', { code: String(testRun.exitCode ?? '') }) : t('testsPassed');
  return (
    <section className="sec tests">
      <div className="disc">
        <button
          type="button"
          className="chevron"
          aria-expanded={isOpen}
          aria-label={t('factTests')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'down' : 'right'} isSmall />
        </button>
        <h2 className="strong">{t('factTests')}</h2>
        <code className="clip">
          <SafeText text={command} />
        </code>
        <span className="t2 small clip">
          {words} {length !== null && t('testsIn', { length: format.length(length) })}
        </span>
        <span className="grow" />
        <button
          type="button"
          className="link small"
          onClick={() => {
            setOpen(true);
            setWhole(!isWhole);
          }}
        >
          {isWhole ? t('lastLines') : t('fullOutput')}
        </button>
      </div>
      {isOpen &&
        (isWhole ? (
          <WholeOutput run={testRun.id} />
        ) : testTail === null || testTail.trim() === '' ? (
          <p className="small t2">{t('noOutput')}</p>
        ) : (
          <Output text={testTail} label={t('outputOf')} lastLines={isFailed ? LINES_FAILED : LINES_PASSED} />
        ))}
    </section>
  );
}

function WholeOutput({ run }: { run: string }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const { data, error, refetch } = useCall('task.testOutput', { run });
  if (error !== null && data === undefined)
    return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading rows={2} />;
  return (
    <>
      <Output text={data.text} label={t('outputOf')} />
      {data.nextOffset !== null && (
        <p className="small t2">
          {t('outputCut', { shown: format.number(data.text.length), total: format.number(data.total) })}
        </p>
      )}
    </>
  );
}
