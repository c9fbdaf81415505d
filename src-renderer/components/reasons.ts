import type { TFunction } from 'i18next';
import { FAILURE_CATEGORIES } from '../../src-shared/model/turn-failure.ts';
import { enInbox } from '../i18n/en-inbox.ts';
import type { enReasons } from '../i18n/en-reasons.ts';

/** `endedReason` of what the kill switch stopped (src-main/core/switches/switch-keys.ts). */
export const KILLED_REASON = 'cancelled by kill switch';

/** The hub's own sentences that never change, by what says them in the language of the window. */
const SENTENCES: ReadonlyMap<string, keyof (typeof enReasons)['ended']> = new Map([
  [KILLED_REASON, 'killed'],
  ['the hub ended', 'hubEnded'],
  ['interrupted', 'interrupted'],
  ['stopped', 'stopped'],
  ['its step broke', 'stepBroke'],
  ['base moved since the tests', 'baseMoved'],
  ['rejected', 'rejected'],
  ['given up', 'givenUp'],
  ['changed nothing', 'nothingChanged'],
  ['left on its branch', 'onBranch'],
]);

type CauseKey = Extract<keyof typeof enInbox, `cause_${string}`>;
const isCause = (key: string): key is CauseKey => key.startsWith('cause_') && Object.hasOwn(enInbox, key);

/** Why a turn failed, as a person reads it. @returns null when its outcome is no failure */
export function failureWords(t: TFunction<'reasons'>, outcome: string): string | null {
  const category = FAILURE_CATEGORIES.find((each) => each === outcome);
  return category === undefined ? null : t('failed', { why: t(`failure.${category}`) });
}

/** What is stored as a task's `endedReason`, as a person reads it; a sentence that is not known stays as it is. */
export function endedWords(t: TFunction<['reasons', 'inbox']>, reason: string): string {
  const cause = `cause_${reason}`;
  if (isCause(cause)) return t(`inbox:${cause}`);
  const sentence = SENTENCES.get(reason);
  if (sentence !== undefined) return t(`reasons:ended.${sentence}`);
  const category = FAILURE_CATEGORIES.find((each) => each === reason);
  return category === undefined ? reason : t('reasons:failed', { why: t(`reasons:failure.${category}`) });
}
