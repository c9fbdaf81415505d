import { byPattern } from './place.ts';
import type { Finder } from './place.ts';

/** PEM and OpenPGP headers of private keys (RFC 7468, RFC 9580). */
export const findPrivateKeys: Finder = byPattern(/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g);

/**
 * Tokens by the prefixes that their issuers publish (AWS, GitHub, GitLab, Anthropic, OpenAI, Slack, Stripe,
 * Google, npm; looked up 2026), and JSON Web Tokens (RFC 7519) by their two JSON parts. Rule name → finder.
 */
export const TOKEN_FINDERS: Readonly<Record<string, Finder>> = {
  'aws-key': byPattern(
    /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    // The key that Amazon's own documentation uses.
    (value) => !value.endsWith('EXAMPLE'),
  ),
  'github-token': byPattern(
    /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})/g,
  ),
  'gitlab-token': byPattern(/(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,255}/g),
  'anthropic-key': byPattern(/(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{20,255}/g),
  'openai-key': byPattern(/(?<![A-Za-z0-9])sk-(?!ant-)(?:proj-|svcacct-)?[A-Za-z0-9_]{32,255}/g),
  'slack-token': byPattern(
    /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,255}|hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,255}/g,
  ),
  'stripe-key': byPattern(/(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{20,255}/g),
  'google-key': byPattern(/(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g),
  'npm-token': byPattern(/(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g),
  'json-web-token': byPattern(
    /(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,4096}/g,
  ),
};
