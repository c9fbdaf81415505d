import type { PreferencesView } from '../../../src-shared/api/settings.ts';
import type { Preferences } from '../../../src-shared/model/preferences.ts';

/** What a notification is about; each can be switched off by itself. */
export const NOTICE_KINDS = [
  'question',
  'approval',
  'permission',
  'needsYou',
  'finished',
  'limit',
  'kill',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Times of day as `HH:MM` in the hub's zone; they may lie around midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

export interface NotifyPreferences {
  readonly kinds: Readonly<Record<NoticeKind, boolean>>;
  readonly quietHours: QuietHours | null;
  readonly language: Preferences['language'];
}

export const DEFAULT_PREFERENCES: NotifyPreferences = {
  kinds: {
    question: true,
    approval: true,
    permission: true,
    needsYou: true,
    finished: true,
    limit: true,
    kill: true,
  },
  quietHours: null,
  language: 'system',
};

/** From what `settings.show` answers. */
export const notifyPreferences = (view: PreferencesView): NotifyPreferences => ({
  kinds: {
    question: view.notifyQuestion.value,
    approval: view.notifyApproval.value,
    permission: view.notifyPermission.value,
    needsYou: view.notifyNeedsYou.value,
    finished: view.notifyFinished.value,
    limit: view.notifyLimit.value,
    kill: view.notifyKill.value,
  },
  quietHours: view.quietHours.value,
  language: view.language.value,
});
