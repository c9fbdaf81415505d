import { contentSecurityPolicy } from '../../../src-shared/window-policy.ts';
import { LOOPBACK } from './request-checks.ts';

/** What every answer carries, refusals included. */
export const securityHeaders = (port: number): Readonly<Record<string, string>> => ({
  // `'self'` covers WebSockets in newer browsers only.
  'content-security-policy': contentSecurityPolicy([`ws://${LOOPBACK}:${port}`]),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-dns-prefetch-control': 'off',
});
