import type { TFunction } from 'i18next';
import type { SettingsView } from '../../../src-shared/api/settings.ts';

type ConfigValue = SettingsView['config']['values'][number];

/** Where a value of the configuration was set, as words that stand alone or after a colon. */
export function sourceOf(t: TFunction<'settings'>, value: ConfigValue, file: string | null): string {
  const name = file?.split(/[\\/]/).at(-1) ?? 'config.toml';
  switch (value.source) {
    case 'default':
      return t('source_default');
    case 'environment':
      return t('source_environment');
    case 'config':
      return value.line === null ? name : t('source_line', { file: name, line: value.line });
  }
}
