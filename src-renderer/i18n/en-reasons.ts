import type { FailureCategory } from '../../src-shared/model/turn-failure.ts';

const failures: Record<FailureCategory, string> = {
  'no-structured-output': 'no structured answer',
  'no-question': 'a question without words',
  'schema-retries': 'no answer in the form that was asked for',
  budget: 'the cost cap of a call was reached',
  'max-turns': 'the limit of model replies was reached',
  login: 'Claude Code needs a login',
  'not-logged-in': 'Claude Code needs a login',
  'rate-limit': 'too many requests',
  'usage-limit': 'usage limit reached',
  overload: 'the model is overloaded',
  connection: 'the model service was not reached',
  billing: 'the account does not pay for calls',
  'model-not-found': 'the model was not found',
  'prompt-too-long': 'the conversation is too long',
  'session-in-use': 'the session is in use',
  'unknown-session': 'the session is not known',
  'bad-request': 'the model service refused the request',
  'wrong-arguments': 'Claude Code did not accept its arguments',
  error: 'an error of Claude Code',
};

/** Why a turn failed, and why a task is not where it was. */
export const enReasons = {
  failed: 'Failed: {{why}}',
  failure: failures,
  ended: {
    killed: 'Stopped by the kill switch',
    hubEnded: 'The hub ended',
    interrupted: 'Interrupted',
    stopped: 'Stopped',
    stepBroke: 'Its step broke',
    baseMoved: 'The base has moved since the tests',
    rejected: 'Rejected',
    givenUp: 'Given up',
    nothingChanged: 'Changed nothing',
    onBranch: 'Left on its branch',
  },
};
