import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';

interface Props {
  readonly item: ItemView;
  readonly children: ReactNode;
  /** Stay at the bottom while the rest scrolls; absent where nothing can be decided. */
  readonly actions?: ReactNode;
}

/** The part that scrolls, and the actions below it. */
export function DetailFrame({ item, children, actions }: Props) {
  const { t } = useTranslation('inbox');
  return (
    <>
      <div
        key={item.number}
        className="scroll"
        role="region"
        aria-label={t('detail', { number: item.number })}
        tabIndex={0}
        data-area="detail"
      >
        {children}
      </div>
      {actions !== undefined && (
        <div
          className="composer"
          role="group"
          aria-label={t('actions', { number: item.number })}
          data-area="actions"
        >
          {actions}
        </div>
      )}
    </>
  );
}
