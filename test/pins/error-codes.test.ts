import { expect, test } from 'vitest';
import { ERROR_CLASS, type ErrorCode } from '../../src-shared/errors.ts';
import { exitCodeOf } from '../../src-main/hosts/cli/exit-codes.ts';

/** Codes and exit codes that scripts rely on (15-cli). New ones may come; these never change. */
const FROZEN: Readonly<Record<string, number>> = {
  internal: 1,
  usage: 2,
  'not-found': 2,
  'file-unreadable': 2,
  'config-invalid': 2,
  'hub-running': 1,
  'hub-not-running': 1,
  'hub-unreachable': 1,
  'hub-lost': 1,
  'node-too-old': 1,
  'data-folder-unusable': 1,
  'store-unusable': 1,
  'store-too-new': 1,
  'disk-full': 1,
  'project-not-a-repository': 2,
  'project-has-no-commit': 2,
  'project-is-bare': 2,
  'project-already-registered': 2,
  'project-name-taken': 2,
  'project-has-open-tasks': 3,
  'task-wrong-state': 5,
  'item-closed': 5,
  'item-wrong-kind': 2,
  'item-stale-offer': 5,
  'item-undo-too-late': 5,
  'answer-empty': 2,
  'data-class-hit': 3,
  'agent-may-not-decide': 3,
  'cap-reached': 3,
  killed: 3,
  'chain-broken': 5,
  timeout: 4,
  interrupted: 4,
  'link-invalid': 3,
  'window-unknown': 3,
  'too-many-attempts': 3,
  'bind-refused': 3,
  'port-taken': 1,
  'web-not-running': 1,
};

test('error codes keep their exit codes', () => {
  const now = Object.fromEntries(
    Object.keys(FROZEN).map((code) => [code, code in ERROR_CLASS ? exitCodeOf(code as ErrorCode) : null]),
  );
  expect(now).toEqual(FROZEN);
});
