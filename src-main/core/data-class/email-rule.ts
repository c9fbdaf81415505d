import type { Finder } from './place.ts';

/** RFC 5321, 4.5.3.1: octets of a local part and of a domain. */
const LOCAL_MAX = 64;
const DOMAIN_MAX = 253;

const isLocal = (character: string): boolean => /^[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]$/u.test(character);
const isDomain = (character: string): boolean => /^[\p{L}\p{N}.-]$/u.test(character);

/** Names that RFC 2606 and RFC 6761 set apart for examples and tests. */
const EXAMPLE_DOMAIN = /(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost)$/i;
const DOMAIN =
  /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu;
/** `picture@2x.png` names a file. */
const PIXEL_DENSITY = /^[1-9]x\./;

/**
 * E-mail addresses outside the domains for examples. Looks outward from each `@`, by at most the lengths that
 * an address may have, so that hostile text costs no more than its length. Not an address: the user of a URL
 * or of a remote (`ssh://git@host/`, `git@host:path`).
 */
export const findEmails: Finder = function* (text) {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < LOCAL_MAX && isLocal(text.charAt(start - 1))) start -= 1;
    const isUrlUser = text.slice(start, at).includes('//');
    // Quotes and the like around an address are no part of it.
    while (start < at && !/^[\p{L}\p{N}_]$/u.test(text.charAt(start))) start += 1;
    let end = at + 1;
    while (end < text.length && end - at <= DOMAIN_MAX && isDomain(text.charAt(end))) end += 1;
    while (end > at + 1 && /^[.-]$/.test(text.charAt(end - 1))) end -= 1;
    const local = text.slice(start, at);
    const domain = text.slice(at + 1, end);
    if (local === '' || local.endsWith('.') || isUrlUser || PIXEL_DENSITY.test(domain)) continue;
    if (local === 'git' && text.charAt(end) === ':') continue;
    if (!DOMAIN.test(domain) || EXAMPLE_DOMAIN.test(domain)) continue;
    yield { index: start, length: end - start };
  }
};
