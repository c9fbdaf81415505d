import i18next from 'i18next';
import { useEffect } from 'react';
import type { PreferencesView } from '../../src-shared/api/settings.ts';
import { useCall } from '../api/api.tsx';
import { setLetterKeys } from '../hooks/use-keys.ts';
import { readKept, writeKept } from '../hooks/use-kept.ts';
import { LANGUAGES, speak, type Language } from '../i18n/index.ts';

type Looks = { readonly theme: 'system' | 'light' | 'dark'; readonly language: 'system' | Language };

const LOOKS = 'looks';
const AS_SYSTEM: Looks = { theme: 'system', language: 'system' };

/** The language of the browser when the window has it, else English. */
const systemLanguage = (): Language => {
  const wanted = navigator.language.slice(0, 2);
  return (wanted in LANGUAGES ? wanted : 'en') as Language;
};

export const languageOf = ({ language }: Pick<Looks, 'language'>): Language =>
  language === 'system' ? systemLanguage() : language;

/** What the person chose last in this window: it starts with that, before the hub has answered. */
export const lastLooks = (): Looks => ({ ...AS_SYSTEM, ...readKept<Partial<Looks>>(LOOKS, {}) });

export function applyLooks(looks: Looks): void {
  const { documentElement } = document;
  if (looks.theme === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = looks.theme;
  const language = languageOf(looks);
  documentElement.lang = language;
  if (i18next.isInitialized && i18next.language !== language) void speak(language);
}

/** Applies what the person prefers, at the start and at once after each change. */
export function usePreferences(): PreferencesView | undefined {
  const preferences = useCall('settings.show', undefined).data?.preferences;
  const theme = preferences?.theme.value;
  const language = preferences?.language.value;
  const letterKeys = preferences?.letterKeys.value;
  useEffect(() => {
    if (theme === undefined || language === undefined) return;
    const looks: Looks = { theme, language };
    writeKept(LOOKS, looks);
    applyLooks(looks);
  }, [theme, language]);
  useEffect(() => {
    if (letterKeys !== undefined) setLetterKeys(letterKeys);
  }, [letterKeys]);
  return preferences;
}
