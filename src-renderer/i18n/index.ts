import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import { createFormat, type Format } from '../format/format.ts';
import { de } from './de.ts';
import { en } from './en.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'app';
    resources: typeof en;
  }
}

export function startWords(language: Language): void {
  void i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: 'en',
    resources: { en, de },
    defaultNS: 'app',
    // React escapes; escaping twice would show entities.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
}

const formats = new Map<string, Format>();

/** Dates and numbers in the language of the words. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const known = formats.get(i18n.language);
  if (known !== undefined) return known;
  const made = createFormat(i18n.language);
  formats.set(i18n.language, made);
  return made;
}
