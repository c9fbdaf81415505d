import { z } from 'zod';

/** What shows notifications: the session bus of Linux, Electron's own, or node-notifier's text. */
export const NotifierName = z.enum(['dbus', 'electron', 'text']);
export type NotifierName = z.infer<typeof NotifierName>;

/** Who raises them: the desktop application, else a hub without a window. */
export const NotifierHost = z.enum(['desktop', 'hub']);
export type NotifierHost = z.infer<typeof NotifierHost>;

/** Why nothing was shown. */
export const NotShownReason = z.enum([
  /** SIGNALBOX_NOTIFICATIONS=off. */
  'off',
  /** There is no session bus: nobody is logged in to a desktop. */
  'no-desktop',
  /** There is a bus, and no notification service on it. */
  'no-daemon',
  /** The person or the system does not let Signalbox notify. */
  'not-allowed',
  /** No hub runs here, or it has only just started: nobody raises them. */
  'nobody',
  /** Whoever raises them, or the service, did not answer in time. */
  'no-answer',
  'failed',
]);
export type NotShownReason = z.infer<typeof NotShownReason>;
