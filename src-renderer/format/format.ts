/** Dates, lengths and money for people, in the language of the window. All through Intl. */
export interface Format {
  /** `13:34` */
  readonly time: (iso: string) => string;
  /** `13:34:07` */
  readonly exactTime: (iso: string) => string;
  /** `1 Dec` this year, with the year otherwise. */
  readonly day: (iso: string) => string;
  readonly dateTime: (iso: string) => string;
  /** `13:34` today, with the day otherwise. */
  readonly moment: (iso: string) => string;
  /** `48s`, `4 min 12s`, `1h 40 min`: of what runs, where a person sees it count. */
  readonly elapsed: (ms: number) => string;
  /** `48 s`, `14 min`, `1 h 40 min`, `3 d 2 h` */
  readonly length: (ms: number) => string;
  /** `$0.21`; three digits below ten cents, since a turn costs that little. */
  readonly usd: (amount: number) => string;
  readonly number: (value: number) => string;
}

/** `48 s`: the shortest name of the unit, with a space before it in every language. */
function unit(locale: string, name: string, unitDisplay: 'narrow' | 'short'): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay });
  return (value: number): string => {
    const parts = format.formatToParts(value);
    const word = parts.find((part) => part.type === 'unit')?.value.trim() ?? '';
    const digits = parts.filter((part) => part.type !== 'unit' && part.type !== 'literal');
    return `${digits.map((part) => part.value).join('')} ${word}`;
  };
}

/**
 * The region whose dates the person is used to, in the language of the words: `1 Dec` and `Dec 1` are both English.
 *
 * @param wished the browser's languages, the preferred one first
 */
export const dateLocale = (language: string, wished: readonly string[]): string =>
  wished.find((locale) => locale.split('-')[0] === language) ?? language;

/** @param dates the locale of dates and times; their words should be of the same language */
export function createFormat(locale: string, dates: string = locale): Format {
  const time = new Intl.DateTimeFormat(dates, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const exactTime = new Intl.DateTimeFormat(dates, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  const day = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short' });
  const dayOfYear = new Intl.DateTimeFormat(dates, { day: 'numeric', month: 'short', year: 'numeric' });
  const money = (digits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const [usd, smallUsd] = [money(2), money(3)];
  const second = unit(locale, 'second', 'narrow');
  const minute = unit(locale, 'minute', 'short');
  const hour = unit(locale, 'hour', 'narrow');
  const days = unit(locale, 'day', 'narrow');
  const number = new Intl.NumberFormat(locale);
  const isThisYear = (date: Date): boolean => date.getFullYear() === new Date().getFullYear();
  const dayText = (iso: string): string => {
    const date = new Date(iso);
    return (isThisYear(date) ? day : dayOfYear).format(date);
  };

  return {
    time: (iso) => time.format(new Date(iso)),
    exactTime: (iso) => exactTime.format(new Date(iso)),
    day: dayText,
    dateTime: (iso) => `${dayText(iso)}, ${time.format(new Date(iso))}`,
    moment: (iso) =>
      new Date(iso).toDateString() === new Date().toDateString()
        ? time.format(new Date(iso))
        : `${dayText(iso)}, ${time.format(new Date(iso))}`,
    elapsed: (ms) => {
      const s = Math.max(0, Math.floor(ms / 1000));
      if (s < 60) return second(s);
      if (s < 3600) return `${minute(Math.floor(s / 60))} ${second(s % 60)}`;
      return `${hour(Math.floor(s / 3600))} ${minute(Math.floor(s / 60) % 60)}`;
    },
    length: (ms) => {
      const s = Math.max(0, Math.floor(ms / 1000));
      if (s < 60) return second(s);
      const min = Math.floor(s / 60);
      if (min < 60) return minute(min);
      const h = Math.floor(min / 60);
      if (h < 24) return `${hour(h)}${min % 60 === 0 ? '' : ` ${minute(min % 60)}`}`;
      return `${days(Math.floor(h / 24))}${h % 24 === 0 ? '' : ` ${hour(h % 24)}`}`;
    },
    usd: (amount) => (amount !== 0 && Math.abs(amount) < 0.1 ? smallUsd : usd).format(amount),
    number: (value) => number.format(value),
  };
}
