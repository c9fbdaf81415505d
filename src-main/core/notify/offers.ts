import type { ItemView } from '../../../src-shared/api/item.ts';
import { visibleLine } from '../../../src-shared/visible-text.ts';
import type { NoticeButton, NotifierAbilities } from '../ports/notifier.ts';
import { wordsOf } from './notice-text.ts';
import type { NoticeWords } from './notice-words.ts';
import { DEFAULT_WRITING, type Writing } from './words.ts';

const LONGEST_OPTION = 40;
const MOST_OPTIONS = 2;

export const OPEN = 'open';
export const DENY = 'deny';
export const REPLY = 'reply';
const optionButton = (index: number): string => `option-${index + 1}`;

/** What a notification lets a person do to its item, and to which state of it that belongs. */
export interface NoticeOffer {
  readonly buttons: readonly NoticeButton[];
  readonly reply: { readonly placeholder: string } | null;
  /** Button → exact text of the option. */
  readonly options: Readonly<Record<string, string>>;
}

const sameAs = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * Whether an option may be a button: whole, readable as it is, and not to be taken for another option or for one of
 * our own buttons (12-engine, Notification actions).
 */
function fits(option: string, all: readonly string[], own: NoticeWords['buttons']): boolean {
  const alike = [...all, ...Object.values(own)].filter((other) => sameAs(other) === sameAs(option));
  return (
    option.trim() === option &&
    option !== '' &&
    [...option].length <= LONGEST_OPTION &&
    visibleLine(option) === option &&
    alike.length === 1
  );
}

/** Allow is never among them: what an agent wants to run is looked at in the window. */
export function offerFor(
  item: ItemView,
  abilities: NotifierAbilities,
  writing: Writing = DEFAULT_WRITING,
): NoticeOffer {
  const labels = wordsOf(writing).buttons;
  const own = (...ids: readonly (keyof typeof labels)[]): readonly NoticeButton[] =>
    ids.map((id) => ({ id, label: labels[id] }));
  const buttonsOf = (buttons: readonly NoticeButton[]): readonly NoticeButton[] =>
    abilities.buttons ? buttons : [];
  if (item.kind === 'permission') {
    return { buttons: buttonsOf(own(OPEN, DENY)), reply: null, options: {} };
  }
  if (item.kind !== 'specify') return { buttons: buttonsOf(own(OPEN)), reply: null, options: {} };

  const first = item.options.slice(0, MOST_OPTIONS);
  const usable = first.flatMap((option, index) =>
    fits(option, item.options, labels) ? [{ id: optionButton(index), label: option }] : [],
  );
  // Without a text field, "Reply" opens the window where there is one.
  const rest = usable.length < first.length ? own(OPEN) : abilities.reply ? [] : own(REPLY);
  return {
    buttons: buttonsOf([...usable, ...rest]),
    reply: abilities.reply ? { placeholder: labels.reply } : null,
    options: abilities.buttons ? Object.fromEntries(usable.map(({ id, label }) => [id, label])) : {},
  };
}

/** Names the state of an item that a person saw: a button pressed for an earlier one does nothing. */
export const generationOf = (item: ItemView): string =>
  JSON.stringify([item.number, item.raisedAt, item.cycle, item.commit, item.question, item.options]);
