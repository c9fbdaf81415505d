import { z } from 'zod';

/** Channels between our preload and main. The page never names one. */
export const CHANNEL = {
  call: 'api.call',
  subscribe: 'api.subscribe',
  unsubscribe: 'api.unsubscribe',
  event: 'api.event',
} as const;

const CallName = z
  .string()
  .max(60)
  .regex(/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/);
/** Of the page's own choosing; it names what is sent back. */
const SubscriptionId = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

export const CallMessage = z.strictObject({
  kind: z.enum(['query', 'mutation']),
  name: CallName,
  /** The router checks it. */
  input: z.unknown(),
});
export const SubscribeMessage = z.strictObject({ id: SubscriptionId, name: CallName, input: z.unknown() });
export const UnsubscribeMessage = z.strictObject({ id: SubscriptionId });

interface Wire {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** Errors cross as data: one that is thrown loses its code on the way. */
export type CallAnswer =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Wire };
export type FeedEvent =
  | { readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'error'; readonly error: Wire }
  | { readonly kind: 'connection'; readonly state: 'open' | 'lost' };
