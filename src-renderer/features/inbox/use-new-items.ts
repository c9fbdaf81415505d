import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';

/** What a screen reader is told when something has come in: "Question in invoice-service, #52". */
export function useNewItems(items: readonly ItemView[] | undefined): string {
  const { t } = useTranslation('inbox');
  const known = useRef<ReadonlySet<number> | null>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    if (items === undefined) return;
    const open = items.filter((item) => item.state === 'open');
    const before = known.current;
    known.current = new Set([...(before ?? []), ...open.map((item) => item.number)]);
    if (before === null) return;
    const fresh = open.filter((item) => !before.has(item.number));
    if (fresh.length === 0) return;
    setWords(
      fresh
        .map(({ kind, project, number }) =>
          project === null
            ? t('newHubItem', { kind: t(`kind_${kind}`), number })
            : t('newItem', { kind: t(`kind_${kind}`), project, number }),
        )
        .join('. '),
    );
  }, [items, t]);
  return words;
}
