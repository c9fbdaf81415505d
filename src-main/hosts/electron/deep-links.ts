import type { NoticeTarget } from '../../core/notify/notice-records.ts';

export const LINK_SCHEME = 'signalbox';
const PREFIX = `${LINK_SCHEME}://`;
const LONGEST_LINK = 200;
const PAGES = ['inbox', 'board', 'ledger', 'workflows', 'settings'] as const;

/** A page of the window. A link only ever shows something; it never acts. */
export type Place = NoticeTarget | { readonly kind: 'page'; readonly page: (typeof PAGES)[number] };

/** The window's address for a place, after the `#`. */
export function routeOf(place: Place): string {
  switch (place.kind) {
    case 'inbox':
      return '/inbox';
    case 'item':
      return `/inbox/${place.number}`;
    case 'task':
      return `/task/${place.number}`;
    case 'page':
      return `/${place.page}`;
  }
}

/** The item that a route shows; null for every other page. */
export function itemOfRoute(route: string): number | null {
  const [, number] = /^#?\/inbox\/([1-9]\d{0,8})(?:[/?].*)?$/.exec(route) ?? [];
  return number === undefined ? null : Number(number);
}

/**
 * Reads `signalbox://item/52`, `signalbox://task/14` and `signalbox://inbox` and its like. Anybody can make such a
 * link, so that everything else is refused, queries and fragments included.
 */
export function parseLink(text: string): Place | null {
  if (text.length > LONGEST_LINK || !text.toLowerCase().startsWith(PREFIX)) return null;
  const [, kind = '', number] =
    /^([a-z]+)(?:\/([1-9]\d{0,8}))?\/?$/.exec(text.slice(PREFIX.length).toLowerCase()) ?? [];
  if (number !== undefined) {
    return kind === 'item' || kind === 'task' ? { kind, number: Number(number) } : null;
  }
  const page = PAGES.find((each) => each === kind);
  return page === undefined ? null : { kind: 'page', page };
}

/**
 * The link among a start's arguments, wherever Chromium moved it. Windows pastes the link into a command line, where a
 * crafted one can add switches of its own: there it has to be the only argument that is no switch.
 *
 * @param args without the executable, and without the script of an unpackaged start
 */
export function linkAmong(args: readonly string[], platform: NodeJS.Platform): string | null {
  const links = args.filter((each) => each.toLowerCase().startsWith(PREFIX));
  const [link] = links;
  if (link === undefined || links.length > 1) return null;
  const words = args.filter((each) => !each.startsWith('-'));
  return platform === 'win32' && words.length !== 1 ? null : link;
}
