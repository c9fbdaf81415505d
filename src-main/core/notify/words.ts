import type { Preferences } from '../../../src-shared/model/preferences.ts';
import type { NoticeWords } from './notice-words.ts';
import { DE } from './words-de.ts';
import { EN } from './words-en.ts';

export type NoticeLanguage = Exclude<Preferences['language'], 'system'>;

export const NOTICE_WORDS: Readonly<Record<NoticeLanguage, NoticeWords>> = { en: EN, de: DE };

/** How times and money are written: words of a language, Intl's locale, and a zone of their own in tests. */
export interface Writing {
  readonly language: NoticeLanguage;
  readonly locale: string;
  readonly timeZone?: string;
}

/** Where the system's own locale is another language's, times are written as here. */
const LOCALES: Readonly<Record<NoticeLanguage, string>> = { en: 'en-GB', de: 'de-DE' };
export const DEFAULT_WRITING: Writing = { language: 'en', locale: LOCALES.en };

const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_.@]/, 1)[0] ?? '';

/** @param locale the system's, as `de-AT`; empty when it says none */
export function writingOf(language: Preferences['language'], locale: string): Writing {
  const system = languageOf(locale);
  const spoken = language === 'system' ? (system === 'de' ? 'de' : 'en') : language;
  return { language: spoken, locale: system === spoken ? locale : LOCALES[spoken] };
}

/**
 * The locale of a process without Electron, from its variables as in POSIX: `de_AT.UTF-8` is `de-AT`. Empty when they
 * say none.
 */
export function localeOfEnvironment(env: Readonly<Record<string, string | undefined>>): string {
  const said = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((each) => (each ?? '') !== '') ?? '';
  const [, language, country] = /^([a-z]{2,3})(?:_([A-Z]{2}))?(?:[.@]|$)/.exec(said) ?? [];
  if (language === undefined) return '';
  return country === undefined ? language : `${language}-${country}`;
}
