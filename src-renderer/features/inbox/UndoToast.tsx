import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearch } from 'wouter';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { useAction } from '../../api/api.tsx';
import { useToast } from '../../app/Toast.tsx';
import { useKeys } from '../../hooks/use-keys.ts';
import { useNow } from '../../hooks/use-now.ts';
import { useFormat } from '../../i18n/index.ts';
import { writeDraft, type Typed } from './drafts.ts';
import { filterFrom, inboxPath } from './inbox-list.ts';
import { useShowsUndo } from './undo-shown.ts';

interface Props {
  readonly item: ItemView;
  readonly typed?: Typed;
  readonly onUndone: () => void;
}

const WORDS = {
  approved: 'goesOut_approved',
  rejected: 'goesOut_rejected',
  sent_back: 'goesOut_sent_back',
  answered: 'goesOut_specify',
} as const;

/** Takes a response back and shows its item again, with the text that was typed. */
export function useUndo(): (item: ItemView, typed: Typed | undefined, done: () => void) => void {
  const { t } = useTranslation('inbox');
  const { say } = useToast();
  const [, navigate] = useLocation();
  const filter = filterFrom(useSearch());
  const undo = useAction('inbox.undo');
  return (item, typed, done) => {
    if (undo.isPending) return;
    undo.mutate(
      { item: item.number },
      {
        onSuccess: () => {
          if (typed !== undefined) writeDraft(typed.kind, item.number, typed.text);
          done();
          navigate(inboxPath(item.number, filter));
          say(t('undone', { number: item.number }));
        },
        onError: ({ message }) => say(t('undoFailed', { message })),
      },
    );
  };
}

/** Stands until the hub acts on the response. Only its first sentence is read aloud, not each second. */
export function UndoToast({ item, typed, onUndone }: Props) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const now = useNow();
  /** The window's clock stands still between two seconds: what is left is never more than it was at first. */
  const [begun] = useState(() => Date.now());
  const undo = useUndo();
  const goesOut = Date.parse(item.dispatchAt ?? item.raisedAt);
  const takeBack = (): void => undo(item, typed, onUndone);
  useShowsUndo(item.number);
  useKeys({ z: takeBack });
  const words = item.state in WORDS ? WORDS[item.state as keyof typeof WORDS] : 'goesOut_other';
  return (
    <>
      <span aria-hidden="true">
        {t(words, {
          number: item.number,
          left: format.length(Math.max(0, goesOut - Math.max(now, begun)) + 999),
        })}
      </span>
      <span className="vh">{t('goesOutRead', { number: item.number })}</span>
      <button type="button" className="btn quiet undo" onClick={takeBack}>
        {t('undo')}
        <kbd className="key" aria-hidden="true">
          Z
        </kbd>
      </button>
      <span className="bar2" aria-hidden="true">
        <i style={{ animationDuration: `${Math.max(0, goesOut - Date.now())}ms` }} />
      </span>
    </>
  );
}
