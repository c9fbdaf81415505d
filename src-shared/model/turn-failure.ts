/** Why a turn failed, in words that programs compare; also what a failed turn's outcome is stored as. */
export const FAILURE_CATEGORIES = [
  'no-structured-output',
  'no-question',
  'schema-retries',
  'budget',
  'max-turns',
  'login',
  'not-logged-in',
  'rate-limit',
  'usage-limit',
  'overload',
  'connection',
  'billing',
  'model-not-found',
  'prompt-too-long',
  'session-in-use',
  'unknown-session',
  'bad-request',
  'wrong-arguments',
  'error',
] as const;
export type FailureCategory = (typeof FAILURE_CATEGORIES)[number];
