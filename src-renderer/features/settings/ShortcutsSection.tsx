import { useTranslation } from 'react-i18next';
import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import { KeyList } from '../../app/KeyList.tsx';
import { Switch } from '../../components/Switch.tsx';
import { Row } from './Row.tsx';
import { useChangeSettings } from './use-change-settings.ts';

export function ShortcutsSection({ preferences }: { preferences: PreferencesView }) {
  const { t } = useTranslation('settings');
  const change = useChangeSettings();
  return (
    <>
      <Row
        name={t('letterKeys')}
        note={t('letterKeysNote')}
        control={
          <Switch
            name={t('letterKeys')}
            isOn={preferences.letterKeys.value}
            onChange={(letterKeys) => change({ letterKeys })}
          />
        }
      >
        {t('letterKeysWhat')}
      </Row>
      <KeyList />
    </>
  );
}
