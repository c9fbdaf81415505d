import { useTranslation } from 'react-i18next';
import type { DoctorCheck } from '../../../src-shared/api/doctor.ts';
import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import { Switch } from '../../components/Switch.tsx';
import { CheckLine } from './CheckLine.tsx';
import { NotificationTest } from './NotificationTest.tsx';
import { Row } from './Row.tsx';
import { useChangeSettings } from './use-change-settings.ts';

const KINDS = [
  'notifyQuestion',
  'notifyApproval',
  'notifyPermission',
  'notifyNeedsYou',
  'notifyFinished',
  'notifyLimit',
  'notifyKill',
] as const;
/** Where quiet hours begin when they are switched on. */
const NIGHT = { from: '22:00', to: '07:30' };

interface Props {
  readonly preferences: PreferencesView;
  /** What the machine says about showing them; undefined when nothing was said. */
  readonly backend: DoctorCheck | undefined;
}

export function NotificationsSection({ preferences, backend }: Props) {
  const { t } = useTranslation('settings');
  const change = useChangeSettings();
  const quiet = preferences.quietHours.value;
  const time = (which: 'from' | 'to') => (
    <label className="row small">
      {t(`quiet_${which}`)}
      <input
        type="time"
        className="field time"
        value={(quiet ?? NIGHT)[which]}
        onChange={(event) => {
          if (event.target.value !== '')
            change({ quietHours: { ...(quiet ?? NIGHT), [which]: event.target.value } });
        }}
      />
    </label>
  );
  return (
    <>
      {backend !== undefined && (
        <Row name={t('backend')}>
          <CheckLine check={backend} />
        </Row>
      )}
      <NotificationTest />
      {KINDS.map((kind) => (
        <Row
          key={kind}
          name={t(`${kind}`)}
          control={
            <Switch
              name={t(`${kind}`)}
              isOn={preferences[kind].value}
              onChange={(isOn) => change({ [kind]: isOn })}
            />
          }
        >
          <span className="t2">{t(`${kind}_note`)}</span>
        </Row>
      ))}
      <Row
        name={t('quietHours')}
        note={t('quietNote')}
        control={
          <Switch
            name={t('quietHours')}
            isOn={quiet !== null}
            onChange={(isOn) => change({ quietHours: isOn ? NIGHT : null })}
          />
        }
      >
        {quiet === null ? (
          t('quietOff')
        ) : (
          <span className="row">
            {time('from')}
            {time('to')}
          </span>
        )}
      </Row>
    </>
  );
}
