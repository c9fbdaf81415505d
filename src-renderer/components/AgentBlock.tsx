import clsx from 'clsx';
import { Fragment, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/index.ts';
import { screen } from './SafeText.tsx';

interface Props {
  /** Display name of the agent; a person's word. */
  readonly agent: string;
  readonly text: string;
  readonly voice: 'asks' | 'reports';
  /** Lines before the rest has to be asked for. */
  readonly lines: number;
  readonly isCompact?: boolean;
}

/** Longest text that is laid out at once: more would hold up the window. */
const MOST_SHOWN = 200_000;

function cut(text: string, lines: number): string {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end === -1) break;
  }
  const cutAt = Math.min(end === -1 ? text.length : end, lines * 160);
  return text.slice(0, cutAt);
}

/**
 * What an agent wrote: its own rail and paper, nothing in it is markup, hidden characters are named, links are inert.
 * Nothing inside can be clicked, so that it cannot pretend to be a control.
 */
export function AgentBlock({ agent, text, voice, lines, isCompact }: Props) {
  const { t } = useTranslation('agent');
  const format = useFormat();
  const [isWhole, setWhole] = useState(false);
  const short = useMemo(() => cut(text, lines), [text, lines]);
  const shown = isWhole ? text.slice(0, MOST_SHOWN) : short;
  const { parts, controls, links } = useMemo(() => screen(shown), [shown]);
  const isCut = short.length < text.length;
  return (
    // Many in a row are groups: as regions they would be landmarks by the hundred.
    <section
      {...(isCompact === true ? { role: 'group' } : {})}
      className={clsx('agent', isCompact === true && 'compact')}
      aria-label={t(voice === 'asks' ? 'question' : 'report', { name: agent })}
    >
      <header>
        <b>{t(voice, { name: agent })}</b>
        <span>{t('unchecked')}</span>
      </header>
      <p className="say" dir="auto">
        {parts.map((part, index) => (
          <Fragment key={index}>{part}</Fragment>
        ))}
      </p>
      {(isCut || controls > 0 || links > 0) && (
        <footer>
          {isCut && (
            <button type="button" className="link" onClick={() => setWhole(!isWhole)}>
              {isWhole ? t('showLess') : t('showAll', { formatted: format.number(text.length) })}
            </button>
          )}
          {controls > 0 && <span>{t('controls', { count: controls })}</span>}
          {links > 0 && <span>{t('links', { count: links })}</span>}
        </footer>
      )}
    </section>
  );
}
