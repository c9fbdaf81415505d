const KEY = 'signalbox.key';

/** The key that the web host gave this browser; kept by port, which a cookie is not (12-engine). */
export const windowKey = (): string | null => localStorage.getItem(KEY);

/** The one-time token that the address carries. */
export const linkToken = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token');

const PLACE = 'signalbox.place';

/** Where the window was when a new link was opened in its tab. @param hash of the address before */
export function keepPlace(hash: string): void {
  if (hash.startsWith('#/')) sessionStorage.setItem(PLACE, hash);
}

/** Once: a link that is opened later begins anew. */
function takePlace(): string {
  const place = sessionStorage.getItem(PLACE) ?? '#/';
  sessionStorage.removeItem(PLACE);
  return place;
}

/**
 * Exchanges the one-time token of the address (`#token=…`) for a cookie and a window key, and takes the token out of
 * the address, which becomes the one of before.
 *
 * @returns false when there was a token and the host refused it
 */
export async function exchangeToken(): Promise<boolean> {
  const token = linkToken();
  if (token === null) return true;
  history.replaceState(null, '', `${location.pathname}${takePlace()}`);
  const answer = await fetch('session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  if (!answer.ok) return false;
  const { key } = (await answer.json()) as { key: string };
  localStorage.setItem(KEY, key);
  return true;
}
