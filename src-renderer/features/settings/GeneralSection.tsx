import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import { Segments } from '../../components/Segments.tsx';
import { Switch } from '../../components/Switch.tsx';
import { isMac } from '../../hooks/use-keys.ts';
import { LANGUAGES } from '../../i18n/index.ts';
import { acceleratorOf, keysOf } from './accelerator.ts';
import { Row } from './Row.tsx';
import { useChangeSettings } from './use-change-settings.ts';

const THEMES = ['system', 'light', 'dark'] as const;

export function GeneralSection({ preferences }: { preferences: PreferencesView }) {
  const { t } = useTranslation('settings');
  const change = useChangeSettings();
  return (
    <>
      <Row name={t('theme')}>
        <Segments
          name={t('theme')}
          value={preferences.theme.value}
          choices={THEMES.map((value) => ({ value, text: t(`theme_${value}`) }))}
          onChoose={(theme) => change({ theme })}
        />
      </Row>
      <Row name={t('language')}>
        <Segments
          name={t('language')}
          value={preferences.language.value}
          choices={[
            { value: 'system' as const, text: t('theme_system') },
            { value: 'en' as const, text: LANGUAGES.en },
            { value: 'de' as const, text: LANGUAGES.de },
          ]}
          onChoose={(language) => change({ language })}
        />
      </Row>
      <ShortcutRow value={preferences.shortcut.value} onChange={(shortcut) => change({ shortcut })} />
      <Row
        name={t('loginItem')}
        note={t('desktopOnly')}
        control={
          <Switch
            name={t('loginItem')}
            isOn={preferences.loginItem.value}
            onChange={(loginItem) => change({ loginItem })}
          />
        }
      >
        {t('loginItemNote')}
      </Row>
    </>
  );
}

function ShortcutRow({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const { t } = useTranslation('settings');
  const [isRecording, setRecording] = useState(false);
  return (
    <Row
      name={t('shortcut')}
      note={t('desktopOnly')}
      control={
        <>
          <button
            type="button"
            className="btn"
            aria-pressed={isRecording}
            onClick={() => setRecording(!isRecording)}
            onBlur={() => setRecording(false)}
            onKeyDown={(event) => {
              if (!isRecording || event.key === 'Tab') return;
              event.preventDefault();
              event.stopPropagation();
              if (event.key === 'Escape') {
                setRecording(false);
                return;
              }
              const pressed = acceleratorOf(event.nativeEvent, isMac);
              if (pressed === null) return;
              setRecording(false);
              onChange(pressed);
            }}
          >
            {isRecording ? t('recording') : t('record')}
          </button>
          {value !== null && (
            <button type="button" className="btn quiet" onClick={() => onChange(null)}>
              {t('noShortcut')}
            </button>
          )}
        </>
      }
    >
      {value === null ? (
        t('shortcutNone')
      ) : (
        <span className="row keys-line">
          {keysOf(value, isMac).map((key) => (
            <kbd key={key} className="key">
              {key}
            </kbd>
          ))}
        </span>
      )}
    </Row>
  );
}
