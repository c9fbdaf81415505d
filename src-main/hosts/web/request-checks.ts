/** Pure checks of what a browser, or something else, has sent. */

/** The one address that the host listens at. */
export const LOOPBACK = '127.0.0.1';

/** A port that a browser leaves out of `Host` and `Origin`. */
const HTTP_PORT = 80;

const authority = (port: number): string => (port === HTTP_PORT ? LOOPBACK : `${LOOPBACK}:${port}`);

export const originOf = (port: number): string => `http://${authority(port)}`;

/**
 * Whether the request names this host. A page of another name that was made to resolve to this machine (DNS
 * rebinding) sends its own name; `localhost` is another origin with other cookies, and is refused as well.
 *
 * @param values of every `Host` header: only one is allowed
 */
export const isOurHost = (values: readonly string[] | undefined, port: number): boolean =>
  values?.length === 1 && values[0] === authority(port);

/** Whether a page of this host sent it. Whatever changes something, and every WebSocket, has to say so. */
export const isOurOrigin = (header: string | undefined, port: number): boolean => header === originOf(port);

/** With the port in its name, as cookies of one host are sent to all of its ports. */
export const cookieName = (port: number): string => `signalbox-${port}`;

/** Kept for a month: it opens nothing by itself, and nothing at all once the host has ended. */
const COOKIE_SECONDS = 30 * 24 * 60 * 60;

export const cookieHeader = (port: number, value: string): string =>
  `${cookieName(port)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_SECONDS}`;

/** Value of this host's cookie; null when there is none, or more than one, since another port's server can add some. */
export function cookieIn(header: string | undefined, port: number): string | null {
  const name = `${cookieName(port)}=`;
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(name));
  const [only] = found;
  return found.length === 1 && only !== undefined ? only.slice(name.length) : null;
}

/** Whether the body is said to be JSON, which a form of a foreign page cannot say. */
export const isJson = (contentType: string | undefined): boolean =>
  contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
