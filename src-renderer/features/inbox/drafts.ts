import { readKept, writeKept } from '../../hooks/use-kept.ts';

/** Texts that were begun, by item: `draft` is the reply, `note` what is sent back. */
export type DraftKind = 'draft' | 'note';

export const draftKey = (kind: DraftKind, item: number): string => `${kind}.${item}`;
export const readDraft = (kind: DraftKind, item: number): string => readKept(draftKey(kind, item), '');
export const writeDraft = (kind: DraftKind, item: number, text: string): void =>
  writeKept(draftKey(kind, item), text === '' ? null : text);

/** A text that was typed for a response: gone once it is stored, there again when it is taken back. */
export interface Typed {
  readonly kind: DraftKind;
  readonly text: string;
}
