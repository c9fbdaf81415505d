import { NO_USAGE, type Usage } from './replies.ts';

/** US dollars per token, by the CLI's own list; measured with the CLI, not typed here. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export const addUsage = (...usages: readonly Usage[]): Usage =>
  usages.reduce(
    (sum, usage) => ({
      inputTokens: sum.inputTokens + usage.inputTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWriteTokens,
    }),
    NO_USAGE,
  );

/** What the tokens cost in US dollars. */
export const priceOf = (usage: Usage, prices: Prices): number =>
  usage.inputTokens * prices.input +
  usage.outputTokens * prices.output +
  usage.cacheReadTokens * prices.cacheRead +
  usage.cacheWriteTokens * prices.cacheWrite;
