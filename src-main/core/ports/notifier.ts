import type { NotShownReason, NotifierName } from '../../../src-shared/model/notice-test.ts';
import type { Disposable } from './world.ts';

/** What the system's service can do; asked before a notification is made, since it may change while we run. */
export interface NotifierAbilities {
  readonly click: boolean;
  readonly buttons: boolean;
  /** A text field in the notification. */
  readonly reply: boolean;
  /** A notification can be taken back. */
  readonly withdraw: boolean;
}

export interface NoticeButton {
  readonly id: string;
  readonly label: string;
}

/** One notification. All texts are plain characters of one line; a service that reads markup gets them escaped. */
export interface Notice {
  /** Random; whatever comes back names it. */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  readonly urgency: 'low' | 'normal' | 'critical';
  readonly isSilent: boolean;
  /** Only what the service can show: empty where it has no buttons. */
  readonly buttons: readonly NoticeButton[];
  /** Null where the service has no text field, or none is wanted. */
  readonly reply: { readonly placeholder: string } | null;
}

/** What a person did with a notification. */
export type NoticeAct =
  | { readonly kind: 'click'; readonly key: string }
  | { readonly kind: 'button'; readonly key: string; readonly button: string }
  | { readonly kind: 'reply'; readonly key: string; readonly text: string }
  | { readonly kind: 'closed'; readonly key: string };

/** What a backend knows of a notification that it has handed over. */
export interface Shown {
  /** Null when another program raises it. */
  readonly by: NotifierName | null;
  /** Whether the service said so; else it merely did not say that it failed. */
  readonly isConfirmed: boolean;
}

/** Why a notification was not shown, as far as that can be told. */
export class NotShownError extends Error {
  readonly reason: NotShownReason;

  constructor(reason: NotShownReason, message: string) {
    super(message);
    this.name = 'NotShownError';
    this.reason = reason;
  }
}

/** The system's notification service. */
export interface Notifier {
  abilities(): Promise<NotifierAbilities>;
  /** Resolves once the service has taken it. Rejects when it could not be shown; a `NotShownError` says why. */
  show(notice: Notice): Promise<Shown>;
  /** Takes it back; one that is unknown or gone is no error. */
  withdraw(key: string): Promise<void>;
  onAct(listener: (act: NoticeAct) => void): Disposable;
  dispose(): void;
}
