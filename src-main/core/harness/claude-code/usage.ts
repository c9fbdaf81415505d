import type { MicroUsd } from '../../../../src-shared/money.ts';
import { microUsdFromUsd } from '../../../../src-shared/money.ts';
import type { TurnEvent, TurnReport } from '../../ports/harness.ts';
import { asArray, asCount, asNumber, asObject, asText } from './read-json.ts';
import type { JsonObject } from './read-json.ts';
import { pathOfInput } from './tool-path.ts';

type UsageEvent = Extract<TurnEvent, { kind: 'usage' }>;

/** More than any bill: a figure above it is a fault of the reader or of the writer, and no cost. */
const GREATEST_USD = 1_000_000;

const moneyOf = (value: unknown): MicroUsd | null => {
  const usd = asNumber(value);
  return usd === null || usd < 0 || usd > GREATEST_USD ? null : microUsdFromUsd(usd);
};

/**
 * Tokens of one model reply as an `assistant` line tells them. Its `output_tokens` is the figure from the start
 * of the reply (1 in every recording) and no final count: what was really billed stands in the result only.
 */
export function usageOfMessage(message: JsonObject): UsageEvent | null {
  const usage = asObject(message['usage']);
  const model = asText(message['model']);
  if (usage === null || model === null) return null;
  return {
    kind: 'usage',
    model,
    inputTokens: asCount(usage['input_tokens']),
    outputTokens: asCount(usage['output_tokens']),
    cacheReadTokens: asCount(usage['cache_read_input_tokens']),
    cacheWriteTokens: asCount(usage['cache_creation_input_tokens']),
  };
}

/** Sum over models, rounded once; null when there is no such map or one of its costs cannot be read. */
function sumOfCosts(usage: unknown): MicroUsd | null {
  const models = asObject(usage);
  if (models === null) return null;
  let usd = 0;
  for (const entry of Object.values(models)) {
    const cost = asNumber(asObject(entry)?.['costUSD']);
    if (cost === null || cost < 0 || cost > GREATEST_USD) return null;
    usd += cost;
  }
  return moneyOf(usd);
}

/**
 * The figures of a result, as reported. `totalMicroUsd` and `usageByModel` are running totals of the whole
 * conversation over resumes (PROTOCOL.md, 9); only `turnMicroUsd`, which the stream form has, is this turn's.
 */
export function reportOfResult(result: JsonObject): TurnReport {
  const models = asObject(result['modelUsage']) ?? {};
  return {
    sessionId: asText(result['session_id']),
    subtype: asText(result['subtype']) ?? '',
    isError: result['is_error'] !== false,
    numTurns: asCount(result['num_turns']),
    durationMs: asCount(result['duration_ms']),
    totalMicroUsd: moneyOf(result['total_cost_usd']),
    turnMicroUsd: sumOfCosts(result['model_usage_since_last_result']),
    usageByModel: Object.entries(models).map(([model, value]) => {
      const entry = asObject(value) ?? {};
      return {
        model,
        inputTokens: asCount(entry['inputTokens']),
        outputTokens: asCount(entry['outputTokens']),
        cacheReadTokens: asCount(entry['cacheReadInputTokens']),
        cacheWriteTokens: asCount(entry['cacheCreationInputTokens']),
        costMicroUsd: moneyOf(entry['costUSD']) ?? (0 as MicroUsd),
      };
    }),
    denials: asArray(result['permission_denials']).flatMap((value) => {
      const denial = asObject(value);
      if (denial === null) return [];
      return [
        {
          tool: asText(denial['tool_name']) ?? 'unknown',
          path: pathOfInput(asObject(denial['tool_input'])),
        },
      ];
    }),
  };
}
