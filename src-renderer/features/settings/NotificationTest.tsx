import { useTranslation } from 'react-i18next';
import type { NotifySelfTestView, NotifyTestView } from '../../../src-shared/api/notify.ts';
import { useAction } from '../../api/api.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useFormat } from '../../i18n/index.ts';
import { Row } from './Row.tsx';

/** How long the click of the self-test is waited for. */
const CLICK_WITHIN_S = 45;

/** What became of a test notification, in words. */
function TestResult({ result }: { result: NotifyTestView }) {
  const { t } = useTranslation('settings');
  const { by, reason, detail } = result;
  const shown = by === null ? '' : t(`testBy_${by}`);
  return (
    <>
      {reason !== null
        ? t(`testNot_${reason}`)
        : result.confirmed
          ? t('testShown', { by: shown })
          : t('testHanded', { by: shown })}
      {detail !== null && (
        <span className="small note">
          {t('testDetail')} <SafeLine text={detail} most={500} />
        </span>
      )}
    </>
  );
}

/** How far a question came and back, link by link. */
function SelfTestResult({ result }: { result: NotifySelfTestView }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { notification, brokenAt } = result;
  const reason = () => {
    if (brokenAt === null) return t('selfTestOk');
    if (brokenAt === 'notificationToClick') return t('selfTestNoClick');
    if (brokenAt === 'hubToNotification' && notification !== null) {
      return notification.shown ? t('selfTestNoWayBack') : <TestResult result={notification} />;
    }
    return (
      <>
        {t('selfTestAgent')} <SafeLine text={result.message} most={500} />
      </>
    );
  };
  return (
    <>
      {reason()}
      <ol className="small note">
        {result.links.map(({ link, ms }) => (
          <li key={link}>
            {t(`link_${link}`)}: {ms === null ? t('linkNot') : t('linkMs', { ms: format.number(ms) })}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Tries whether notifications reach the person, and says what happened. */
export function NotificationTest() {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const test = useAction('notify.test');
  const selfTest = useAction('notify.selfTest');
  const isBusy = test.isPending || selfTest.isPending;
  return (
    <>
      <Row
        name={t('test')}
        note={t('testNote')}
        control={
          <button type="button" className="btn" disabled={isBusy} onClick={() => test.mutate(undefined)}>
            {t('testSend')}
          </button>
        }
      >
        <span role="status" aria-live="polite" aria-label={t('testResult')}>
          {test.isPending && t('testSending')}
          {test.isSuccess && <TestResult result={test.data} />}
          {test.isError && t('testFailed', { message: test.error.message })}
        </span>
      </Row>
      <Row
        name={t('selfTest')}
        note={t('selfTestNote')}
        control={
          <button
            type="button"
            className="btn"
            disabled={isBusy}
            onClick={() => selfTest.mutate({ waitS: CLICK_WITHIN_S })}
          >
            {t('selfTestRun')}
          </button>
        }
      >
        <span role="status" aria-live="polite" aria-label={t('selfTestResult')}>
          {selfTest.isPending && t('selfTestWaits', { length: format.length(CLICK_WITHIN_S * 1000) })}
          {selfTest.isSuccess && <SelfTestResult result={selfTest.data} />}
          {selfTest.isError && t('testFailed', { message: selfTest.error.message })}
        </span>
      </Row>
    </>
  );
}
