import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { Icon } from '../../components/Icon.tsx';
import { useFormat } from '../../i18n/index.ts';

const REACHED = { none: 0, stored: 1, sending: 1, delivered: 2, seen: 3, failed: 1 } as const;

/** How far an answer has come. A tick is there only once it is true. */
export function Delivery({ item }: { item: ItemView }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  if (item.delivery === 'none' || item.respondedAt === null) return null;
  const reached = REACHED[item.delivery];
  const steps = [
    t('storedAt', { time: format.exactTime(item.respondedAt) }),
    t('deliveredMark'),
    t('seenMark'),
  ];
  return (
    <p className="delivery small" role="status" aria-label={t('deliveryOf')}>
      {steps.map((step, index) => (
        <span key={index} className={index < reached ? 'c-ok' : 't3'}>
          {index < reached ? <Icon name="tick" isSmall /> : <Icon name="free" isSmall />}
          {step}
        </span>
      ))}
      {item.delivery === 'failed' && (
        <span className="c-stop">
          <Icon name="cross" isSmall />
          {t('deliveryFailed')}{' '}
          {item.taskNumber !== null && <Link href={`/task/${item.taskNumber}`}>{t('openTask')}</Link>}
        </span>
      )}
    </p>
  );
}
