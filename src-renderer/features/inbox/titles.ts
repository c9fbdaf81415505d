import type { TFunction } from 'i18next';
import type { ItemView } from '../../../src-shared/api/item.ts';
import type { ItemKind } from '../../../src-shared/model/item.ts';
import type { GlyphName } from '../../components/Icon.tsx';

export const GLYPH_OF: Readonly<Record<ItemKind, GlyphName>> = {
  specify: 'question',
  approve: 'approval',
  gate: 'gate',
  permission: 'permission',
  review: 'review',
  manual: 'manual',
};

/** Words that a person wrote, or ours; never an agent's. */
export interface ItemTitle {
  readonly text: string;
  /** Our own sentence and not a person's. */
  readonly isOurs: boolean;
}

/** Of a review or manual item what happened; of everything else the task. */
export function titleOf(t: TFunction<'inbox'>, item: ItemView): ItemTitle {
  if ((item.kind === 'review' || item.kind === 'manual') && item.cause !== null) {
    return { text: t(`cause_${item.cause}`), isOurs: true };
  }
  if (item.taskTitle !== null) return { text: item.taskTitle, isOurs: false };
  return { text: item.message ?? t(`kind_${item.kind}`), isOurs: true };
}

/** The third line of a row. */
export function excerptOf(item: ItemView): { readonly text: string; readonly by: 'agent' | 'signalbox' } {
  if (item.excerpt !== undefined) return item.excerpt;
  if (item.message !== null && item.message !== '') return { text: item.message, by: 'signalbox' };
  return item.kind === 'approve'
    ? { text: item.summary, by: 'agent' }
    : { text: item.question, by: item.questionBy };
}
