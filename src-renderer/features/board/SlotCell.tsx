import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { BoardSlotView } from '../../../src-shared/api/board.ts';
import { Icon } from '../../components/Icon.tsx';
import { SafeLine } from '../../components/SafeText.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';

/** Who holds a slot, since when, and the last thing it said or did. */
export function SlotCell({ slot }: { slot: BoardSlotView }) {
  const { t } = useTranslation('board');
  const format = useFormat();
  const now = useNow();
  const { last } = slot;
  return (
    <li className="cell">
      <div className="st c-run">
        <Icon name={slot.phase === 'tests' || slot.phase === 'setup' ? 'testing' : 'running'} isSmall />
        {t(`phase_${slot.phase}`)}
        <time dateTime={slot.since}>{format.elapsed(now - Date.parse(slot.since))}</time>
      </div>
      <Link className="cell-title clip" href={`/task/${slot.number}`}>
        <SafeLine text={slot.title} />
      </Link>
      <div className="ln">
        {last !== null && slot.phase === 'turn' && (
          <>
            <i className="hm" aria-hidden="true" />
            <span className="clip">
              {last.tool !== null && `${last.tool} `}
              <SafeLine text={last.text} most={200} />
            </span>
          </>
        )}
      </div>
    </li>
  );
}
