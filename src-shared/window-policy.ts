/**
 * What the window may load and reach, in the browser and in Electron: its own files, and its host. No inline script
 * or style; a style set on an element by script is not one.
 *
 * @param sockets origins of WebSockets that it opens, e.g. `ws://127.0.0.1:4000`
 */
export const contentSecurityPolicy = (sockets: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src ${["'self'", ...sockets].join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
