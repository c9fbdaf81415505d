/** What the window may load, where it may go and who may speak to main. Pure; main only carries it out. */

export const APP_SCHEME = 'app';
const APP_HOST = 'bundle';
export const APP_URL = `${APP_SCHEME}://${APP_HOST}/index.html`;

/** Everything comes from our own bundle; the hub is reached over IPC, so that not even loopback is open. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  map: 'application/json; charset=utf-8',
};

/** A `URL` knows no origin for schemes that it does not know, so that scheme and host are compared. */
export function isOwnUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return (
    parsed !== null &&
    parsed.protocol === `${APP_SCHEME}:` &&
    parsed.host === APP_HOST &&
    parsed.username === '' &&
    parsed.password === ''
  );
}

export type NewWindow =
  | { readonly kind: 'deny' }
  /** For the person's browser, once the person has said so. */
  | { readonly kind: 'ask'; readonly url: string; readonly host: string };

/** No page opens a window of ours; a link to the web goes to the browser, https alone and after a question. */
export function decideNewWindow(url: string): NewWindow {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '')
    return { kind: 'deny' };
  return { kind: 'ask', url: parsed.href, host: parsed.host };
}

/** Copying text out of our own page is all that a page may ever be permitted. New permissions come with versions. */
export const isPermitted = (permission: string, requestingUrl: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOwnUrl(requestingUrl);

/** Requests that leave the session at all: our bundle, and the developer tools where they exist. */
export function mayRequest(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'devtools:' || protocol === 'data:' || protocol === 'blob:' || isOwnUrl(url);
}

/** A frame that sent a message; null when it is gone already. */
export interface SenderFrame {
  readonly url: string;
  readonly isTop: boolean;
}

/** Only the main frame of a window that we made, while it shows our page. */
export const maySpeak = (frame: SenderFrame | null, isOurWindow: boolean): boolean =>
  isOurWindow && frame !== null && frame.isTop && isOwnUrl(frame.url);

/**
 * The file of the bundle that a URL names, relative and with `/`; null for what is not one. Decoded once, so that
 * nothing decodes itself into a way out.
 */
export function assetPath(url: string): string | null {
  if (!isOwnUrl(url)) return null;
  let pathname: string;
  try {
    pathname = decodeURIComponent(new URL(url).pathname);
  } catch {
    return null;
  }
  const parts = pathname.replace(/^\//, '').split('/');
  const isPlain = parts.every(
    (part) => part !== '' && part !== '.' && part !== '..' && /^[\w.@-]+$/.test(part),
  );
  return isPlain ? parts.join('/') : null;
}

export function assetHeaders(file: string): Readonly<Record<string, string>> {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  return {
    'content-type': TYPES[ending] ?? 'application/octet-stream',
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** Switches by which whoever starts us could look into the window or lead its traffic elsewhere; no fuse covers them. */
const REFUSED_SWITCHES = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'inspect-publish-uid',
  'js-flags',
  'load-extension',
  'proxy-server',
  'proxy-pac-url',
  'host-resolver-rules',
  'disable-web-security',
];

/** The first such switch among the arguments of a packaged start; null when there is none. */
export function refusedSwitch(args: readonly string[]): string | null {
  const names = args
    .filter((each) => each.startsWith('-'))
    .map((each) => each.replace(/^-+/, '').split('=')[0]?.toLowerCase() ?? '');
  return names.find((name) => REFUSED_SWITCHES.includes(name)) ?? null;
}
