import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { initReactI18next } from 'react-i18next';
import { createFormat, dateLocale, type Format } from '../format/format.ts';
import { en } from './en.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: typeof en;
  }
}

/** Languages besides English are loaded when they are spoken. */
const OTHERS: Readonly<Record<Exclude<Language, 'en'>, () => Promise<object>>> = {
  de: async () => (await import('./de.ts')).de,
};

async function load(language: Language): Promise<void> {
  if (language === 'en' || i18next.hasResourceBundle(language, 'app')) return;
  for (const [namespace, words] of Object.entries(await OTHERS[language]()))
    i18next.addResourceBundle(language, namespace, words);
}

/** Another language from now on. */
export async function speak(language: Language): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
}

/** Resolves when the words are there. */
export async function startWords(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en },
    defaultNS: 'app',
    // React escapes; escaping twice would show entities.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  if (language !== 'en') await speak(language);
}

const formats = new Map<string, Format>();

function listenToLanguage(changed: () => void): () => void {
  i18next.on('languageChanged', changed);
  return () => i18next.off('languageChanged', changed);
}

/** Dates and numbers in the language of the words. Without `useTranslation`: each line of a long list has a time. */
export function useFormat(): Format {
  const language = useSyncExternalStore(listenToLanguage, () => i18next.language);
  const known = formats.get(language);
  if (known !== undefined) return known;
  const made = createFormat(language, dateLocale(language, navigator.languages));
  formats.set(language, made);
  return made;
}
