import { z } from 'zod';

/** `signalbox serve`, once it listens. */
export const ServeView = z.object({
  /** The one-time link. */
  url: z.string(),
  port: z.number().int(),
  pid: z.number().int(),
  /** Whether this process is the hub, or a client of the one that ran already. */
  hub: z.enum(['own', 'attached']),
});
export type ServeView = z.infer<typeof ServeView>;

/** `signalbox serve --link` */
export const LinkView = z.object({ url: z.string(), pid: z.number().int() });
export type LinkView = z.infer<typeof LinkView>;
