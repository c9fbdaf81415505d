import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Nothing for the first 200 ms, then grey lines; nothing moves. */
export function Loading({ rows = 3 }: { rows?: number }) {
  const { t } = useTranslation('app');
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(true), 200);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status" aria-label={t('loading')}>
      {isLate &&
        Array.from({ length: rows }, (_, row) => (
          <div key={row} className="loading-row" aria-hidden="true">
            <span className="sk" />
            <span className="sk" />
          </div>
        ))}
    </div>
  );
}
