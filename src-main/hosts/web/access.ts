import { createHash, timingSafeEqual } from 'node:crypto';
import { seconds, type Millis } from '../../../src-shared/time.ts';
import type { Clock } from '../../core/ports/world.ts';

/** A link that nobody has opened until then opens nothing any more. */
const LINK_LIVES = seconds(15 * 60);
/** More would be links that nobody opens; the oldest give way. */
const MOST_LINKS = 16;
/** Browsers that are let in at the same time; the one that came first gives way. */
const MOST_BROWSERS = 32;
/** Wrong tokens within {@link GUESSING_WINDOW} before no token is looked at any more. */
const MOST_GUESSES = 10;
const GUESSING_WINDOW = seconds(60);

/** What a browser gets for its link: neither half opens anything by itself. */
export interface BrowserSecrets {
  /** Sent by the browser with every request to the host's name, to whatever port. */
  readonly cookie: string;
  /** Kept in `localStorage`, which belongs to the port as well. */
  readonly key: string;
}

export type Exchange =
  | { readonly kind: 'admitted'; readonly secrets: BrowserSecrets }
  /** Never issued, used already, or too old: which of them is not told. */
  | { readonly kind: 'wrong' }
  | { readonly kind: 'too-many' };

/** Who may use the web host. Nothing is stored: what it knows ends with the process (12-engine, web host's secrets). */
export interface Access {
  /** @returns the token of a new one-time link */
  issueToken(): string;
  /** Uses a token up. */
  exchange(token: string): Exchange;
  /** Whether a browser that was let in has this cookie. It opens nothing, it only lets the key be asked for. */
  knowsCookie(cookie: string | null): boolean;
  /** Whether both belong to the same browser. */
  opens(cookie: string | null, key: string): boolean;
}

interface Link {
  readonly token: Buffer;
  readonly expiresAt: Millis;
}
interface Browser {
  readonly cookie: Buffer;
  readonly key: Buffer;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Digests have one length, and their comparison takes one time. */
const isSame = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b);

/** @param random gives a text that nobody can guess */
export function createAccess(clock: Pick<Clock, 'monotonic'>, random: () => string): Access {
  let links: Link[] = [];
  const browsers: Browser[] = [];
  let guesses: Millis[] = [];

  const takeLink = (token: string): boolean => {
    const now = clock.monotonic();
    const asked = digest(token);
    const found = links.filter((link) => isSame(link.token, asked));
    links = links.filter((link) => !found.includes(link) && link.expiresAt > now);
    return found.some((link) => link.expiresAt > now);
  };

  return {
    issueToken: () => {
      const token = random();
      const expiresAt = (clock.monotonic() + LINK_LIVES) as Millis;
      links = [...links, { token: digest(token), expiresAt }].slice(-MOST_LINKS);
      return token;
    },
    exchange: (token) => {
      const now = clock.monotonic();
      guesses = guesses.filter((at) => now - at < GUESSING_WINDOW);
      if (guesses.length >= MOST_GUESSES) return { kind: 'too-many' };
      if (!takeLink(token)) {
        guesses.push(now);
        return { kind: 'wrong' };
      }
      const secrets = { cookie: random(), key: random() };
      browsers.push({ cookie: digest(secrets.cookie), key: digest(secrets.key) });
      if (browsers.length > MOST_BROWSERS) browsers.shift();
      return { kind: 'admitted', secrets };
    },
    knowsCookie: (cookie) => {
      if (cookie === null) return false;
      const asked = digest(cookie);
      return browsers.filter((browser) => isSame(browser.cookie, asked)).length > 0;
    },
    opens: (cookie, key) => {
      if (cookie === null) return false;
      const asked = { cookie: digest(cookie), key: digest(key) };
      const fitting = browsers.filter(
        (browser) => Number(isSame(browser.cookie, asked.cookie)) & Number(isSame(browser.key, asked.key)),
      );
      return fitting.length > 0;
    },
  };
}
