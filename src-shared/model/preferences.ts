import { z } from 'zod';

/** A time of day, `HH:MM`, in the hub's zone. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day such as 22:00');
const notice = z.boolean().default(true);

/**
 * What a person prefers of the window and of notifications; no rule of the engine reads it. Each has a default, and
 * one that is not set is not stored.
 */
export const Preferences = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  language: z.enum(['system', 'en', 'de']).default('system'),
  /** Keys of one letter or digit act outside of text fields. */
  letterKeys: z.boolean().default(true),
  /** Opens the inbox from anywhere, as an Electron accelerator; null for none. */
  shortcut: z
    .string()
    .regex(/^[A-Za-z0-9+]{1,60}$/, 'keys joined with +, such as CommandOrControl+Shift+Space')
    .nullable()
    .default('CommandOrControl+Shift+Space'),
  /** Starts with the login, in the tray. */
  loginItem: z.boolean().default(false),
  notifyQuestion: notice,
  notifyApproval: notice,
  notifyPermission: notice,
  /** Review and manual items. */
  notifyNeedsYou: notice,
  notifyFinished: notice,
  notifyLimit: notice,
  notifyKill: notice,
  /** Nothing but the kill switch is told in these hours; null for none. */
  quietHours: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable().default(null),
});
export type Preferences = z.infer<typeof Preferences>;
export type PreferenceName = keyof Preferences;
export const PREFERENCE_NAMES = Object.keys(Preferences.shape) as PreferenceName[];
export const DEFAULT_PREFERENCES: Preferences = Preferences.parse({});
