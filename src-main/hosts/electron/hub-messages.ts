import { z } from 'zod';

/** What main and the utility process say to each other beside the ports; calls go over the ports alone. */
export const ToHub = z.discriminatedUnion('kind', [
  /** Comes with a port: another connection. Main vouches for who it is. */
  z.object({
    kind: z.literal('connect'),
    name: z.string(),
    via: z.enum(['desktop', 'notification']),
  }),
  /** End cleanly: turns are interrupted, sessions stay resumable. */
  z.object({ kind: z.literal('stop') }),
]);
export type ToHub = z.infer<typeof ToHub>;

export const FromHub = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), pid: z.number().int() }),
  /** Another process owns the data folder; this one ends. */
  z.object({
    kind: z.literal('other-hub'),
    pid: z.number().int(),
    host: z.string(),
    socket: z.string().nullable(),
  }),
  /** Somebody asked it to end, e.g. `signalbox hub stop`: it is not started again by itself. */
  z.object({ kind: z.literal('stopped') }),
  /** It cannot run: what a person is told. */
  z.object({ kind: z.literal('failed'), message: z.string(), hint: z.string().nullable() }),
]);
export type FromHub = z.infer<typeof FromHub>;
