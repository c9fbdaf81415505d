import { z } from 'zod';
import { IsoTime } from './common.ts';
import { NotifierHost, NotifierName, NotShownReason } from '../model/notice-test.ts';

/** What became of a test notification. `message` says it in one English sentence. */
export const NotifyTestView = z.object({
  shown: z.boolean(),
  /** Who raised it; null when nobody does. */
  host: NotifierHost.nullable(),
  /** What showed it; null when nothing did. */
  by: NotifierName.nullable(),
  /** Whether the service said that it is shown; else it merely did not say that it failed. */
  confirmed: z.boolean(),
  /** Whether a click comes back to Signalbox. */
  clickable: z.boolean(),
  /** Why it was not shown; null when it was. */
  reason: NotShownReason.nullable(),
  message: z.string(),
  /** The system's own words; untrusted. */
  detail: z.string().nullable(),
  tookMs: z.number().int(),
});
export type NotifyTestView = z.infer<typeof NotifyTestView>;

/** The way of a question to a person and back, each timed (70-desktop, Notifications). */
export const SelfTestLink = z.enum([
  'agentToHub',
  'hubToNotification',
  'notificationToClick',
  'clickToAnswer',
  'answerToAgent',
]);
export type SelfTestLink = z.infer<typeof SelfTestLink>;

export const NotifySelfTestInput = z.object({
  /** How long the click is waited for. */
  waitS: z.number().int().min(1).max(120).default(45),
});
export const NotifySelfTestView = z.object({
  ok: z.boolean(),
  /** All links in their order; null for one that was not reached. */
  links: z.array(z.object({ link: SelfTestLink, ms: z.number().int().nullable() })),
  /** The link that broke; null when none did. */
  brokenAt: SelfTestLink.nullable(),
  message: z.string(),
  /** What became of the notification; null when it was not reached. */
  notification: NotifyTestView.nullable(),
});
export type NotifySelfTestView = z.infer<typeof NotifySelfTestView>;

/** Of a host that raises notifications. */
export const NotifyRequestsInput = z.object({ host: NotifierHost });
export const NotifyRequestView = z.object({
  id: z.string(),
  /** `question` has a button and is waited for; `withdraw` takes back what has the id. */
  kind: z.enum(['test', 'question', 'withdraw']),
});
export type NotifyRequestView = z.infer<typeof NotifyRequestView>;

export const NotifyReportInput = z.object({
  id: z.string().max(100),
  event: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('shown'),
      by: NotifierName,
      confirmed: z.boolean(),
      clickable: z.boolean(),
    }),
    z.object({ kind: z.literal('not-shown'), reason: NotShownReason, detail: z.string().max(500) }),
    /** A person clicked it, pressed its button or wrote a reply. */
    z.object({ kind: z.literal('acted'), answer: z.string().max(2000), at: IsoTime }),
  ]),
});
export type NotifyReportInput = z.infer<typeof NotifyReportInput>;
