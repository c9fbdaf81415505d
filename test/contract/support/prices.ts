import { randomUUID } from 'node:crypto';
import type { Prices } from '../../support/model-server/billing.ts';
import { finish, NO_USAGE, type Usage } from '../../support/model-server/replies.ts';
import { byTurn, scenarioTag } from '../../support/model-server/script.ts';
import { makeCliPlace } from './cli-place.ts';

const TOKENS = 10_000;

/** Asks the CLI what it charges: one run per kind of token, with that many of it and of nothing else. */
export async function measurePrices(): Promise<Prices> {
  await using place = await makeCliPlace();
  const price = async (kind: keyof Usage): Promise<number> => {
    place.model.script(kind, byTurn(finish('x', {}, { usage: { ...NO_USAGE, [kind]: TOKENS } })));
    const { result } = await place.run({ sessionId: randomUUID(), prompt: `Go. ${scenarioTag(kind)}` });
    const cost = result?.['total_cost_usd'];
    if (typeof cost !== 'number' || cost <= 0)
      throw new Error(`No price for ${kind}: ${JSON.stringify(result)}`);
    return cost / TOKENS;
  };
  return {
    input: await price('inputTokens'),
    output: await price('outputTokens'),
    cacheRead: await price('cacheReadTokens'),
    cacheWrite: await price('cacheWriteTokens'),
  };
}
