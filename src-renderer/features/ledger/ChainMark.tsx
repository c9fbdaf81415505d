import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAsked } from '../../api/use-asked.ts';
import { Icon } from '../../components/Icon.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';

/** A check that takes longer says how long it has taken. */
const LONG_MS = 1000;

/** Whether the chain of entries holds: the part since the last whole check at first, all of it on demand. */
export function ChainMark() {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const [isFull, setFull] = useState(false);
  const check = useAsked('ledger.verify', { full: isFull }, { isFresh: true });
  const { data, error, isFetching, dataUpdatedAt, refetch } = check;
  const checkAll = (): void => {
    if (isFull) void refetch();
    else setFull(true);
  };

  if (isFetching) return <Checking />;
  const again = (
    <button type="button" className="btn quiet" onClick={checkAll}>
      {t('checkAll')}
    </button>
  );
  if (error !== null) {
    return (
      <>
        <span className="stat chain c-stop" role="status">
          <Icon name="review" />
          {t('chainFailed', { message: error.message })}
        </span>
        {again}
      </>
    );
  }
  if (data === undefined) return null;
  const at = format.time(new Date(dataUpdatedAt).toISOString());
  const entries = format.number(data.entries);
  if (!data.ok) {
    return (
      <>
        <span className="stat chain c-stop" role="alert" title={t('chainBrokenHint')}>
          <Icon name="review" />
          {t('chainBroken', { entry: format.number(data.brokenAt ?? 0) })}
        </span>
        {again}
      </>
    );
  }
  const from = data.checkedFrom ?? 1;
  return (
    <>
      <span
        className="stat chain"
        role="status"
        title={from > 1 ? t('chainPartHint', { from: format.number(from) }) : data.head}
      >
        <span className="c-ok">
          <Icon name="chain" />
        </span>
        {t('chainVerified')}
        <span className="chain-facts">{t('chainFacts', { entries, time: at })}</span>
      </span>
      {again}
    </>
  );
}

function Checking() {
  const { t } = useTranslation('ledger');
  const format = useFormat();
  const now = useNow();
  const [since, setSince] = useState<number | null>(null);
  useEffect(() => setSince(Date.now()), []);
  const taken = since === null ? 0 : now - since;
  return (
    <span className="stat chain">
      <Icon name="hold" />
      {t('checking')}
      {taken >= LONG_MS && <span>{format.length(taken)}</span>}
    </span>
  );
}
