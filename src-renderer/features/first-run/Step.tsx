import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../components/Icon.tsx';

interface Props {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'now' | 'next';
  readonly children: ReactNode;
}

/** One of the three; a done one is a line with a tick. */
export function Step({ number, title, state, children }: Props) {
  const { t } = useTranslation('first');
  return (
    <section
      className={clsx('step', state !== 'now' && state)}
      aria-label={t('step', { number, title })}
      {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}
    >
      {state === 'done' ? (
        <span className="no">
          <Icon name="tick" isSmall label={t('done')} />
        </span>
      ) : (
        <span className="no" aria-hidden="true">
          {number}
        </span>
      )}
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
