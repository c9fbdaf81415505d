import type { ItemView } from '../../../src-shared/api/item.ts';
import type { ItemCause } from '../../../src-shared/model/item.ts';
import type { NoticeKind } from './preferences.ts';

/** What notifications say besides an agent's words, names and numbers. Both languages fill in all of it. */
export interface NoticeWords {
  /** What each is about, without its project. */
  readonly titles: Readonly<
    Record<'question' | 'approval' | 'permission' | 'needsYou' | 'finished' | 'limit', string>
  >;
  readonly inProject: (what: string, project: string) => string;
  /** Introduces the words of an agent, which come last. */
  readonly agentAsks: (question: string) => string;
  readonly wantsToRun: (command: string) => string;
  readonly wantsToUseOn: (tool: string | null, file: string) => string;
  readonly wantsToOpen: (url: string) => string;
  readonly wantsToUse: (tool: string) => string;
  readonly turnWaits: string;
  readonly files: (count: number) => string;
  readonly tests: Readonly<Record<NonNullable<ItemView['offer']>['testOutcome'], string>>;
  readonly estimate: (money: string) => string;
  /** One sentence each, our own words: why an item was raised. */
  readonly causes: Readonly<Record<ItemCause, string>>;
  readonly standsStill: string;
  readonly goesOnAt: (time: string) => string;
  readonly items: (count: number) => string;
  readonly kinds: Readonly<Record<NoticeKind, readonly [one: string, many: string]>>;
  readonly stopped: {
    readonly title: string;
    /** The receipt is not there yet. */
    readonly unknown: string;
    readonly receipt: (ended: number, alive: number) => string;
    /** Without an answer of the hub. */
    readonly alone: (ended: number, alive: number) => string;
  };
  /** Texts on buttons; an option that reads like one of them is not offered. */
  readonly buttons: Readonly<Record<'open' | 'deny' | 'reply', string>>;
  /** What became of an answer that was given in a notification. */
  readonly answered: {
    readonly sent: (item: number) => string;
    readonly denied: (item: number) => string;
    readonly notSent: (item: number) => string;
    readonly changed: string;
    readonly broke: string;
  };
  readonly test: {
    readonly title: string;
    readonly body: string;
    /** Of the self-test, in which a scripted agent asks. */
    readonly question: string;
    readonly answer: string;
  };
  readonly noTray: { readonly title: string; readonly body: string };
  /** Said in the window where nothing can be shown. */
  readonly problem: string;
}
