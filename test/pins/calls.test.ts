import { describe, expect, test } from 'vitest';
import type { ApiContext } from '../../src-main/api/context.ts';
import { wireErrorOf } from '../../src-main/api/errors.ts';
import { appRouter, loadRouters } from '../../src-main/api/router.ts';

/*
 * Names of calls, and who may make them. Windows, scripts and other versions rely on them: a red pin means "decide".
 */
const FOR_ALL = [
  'agent.list',
  'agent.show',
  'board.show',
  'hub.backup',
  'hub.changes',
  'hub.kill',
  'hub.pause',
  'hub.ping',
  'hub.status',
  'hub.summary',
  'inbox.context',
  'inbox.list',
  'inbox.show',
  'ledger.export',
  'ledger.follow',
  'ledger.list',
  'ledger.page',
  'ledger.totals',
  'ledger.verify',
  'project.list',
  'project.show',
  'report.relay',
  'settings.policy',
  'settings.show',
  'spike.status',
  'task.add',
  'task.diff',
  'task.event',
  'task.events',
  'task.follow',
  'task.harness',
  'task.kept',
  'task.list',
  'task.show',
  'task.submit',
  'task.testOutput',
  'task.tests',
  'task.transcript',
];
const FOR_PERSONS = [
  'agent.change',
  'files.folders',
  'hub.doctor',
  'hub.release',
  'hub.stop',
  'hub.unpause',
  'inbox.allow',
  'inbox.answer',
  'inbox.approve',
  'inbox.deny',
  'inbox.reject',
  'inbox.resolve',
  'inbox.sendBack',
  'inbox.undo',
  'notify.report',
  'notify.requests',
  'notify.selfTest',
  'notify.test',
  'project.add',
  'project.change',
  'project.disable',
  'project.enable',
  'project.inspect',
  'project.remove',
  'project.slots',
  'settings.change',
  'spike.start',
  'spike.stop',
  'task.cancel',
  'task.interrupt',
  'task.move',
  'task.restore',
  'task.retry',
];

/** A router is loaded on the first call of one of its procedures; until then the application's does not list them. */
await loadRouters();
const calls = Object.keys(appRouter._def.procedures);

/** Only what stands before a call's own work is reached. */
const agent = {
  isAgent: true,
  actor: { name: 'x', via: 'cli' },
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
} as unknown as ApiContext;

async function codeFor(call: string): Promise<string | null> {
  const [noun = '', verb = ''] = call.split('.');
  const caller = appRouter.createCaller(agent) as unknown as Record<
    string,
    Record<string, (input?: unknown) => unknown>
  >;
  try {
    await caller[noun]?.[verb]?.({});
    return null;
  } catch (error) {
    return wireErrorOf(error).code;
  }
}

describe('the calls of the API', () => {
  test('have these names', () => {
    expect(calls.sort()).toEqual([...FOR_ALL, ...FOR_PERSONS].sort());
  });

  test.each(FOR_PERSONS)('%s is refused to an agent, whatever its input', async (call) => {
    expect(await codeFor(call)).toBe('agent-may-not-decide');
  });

  test.each(FOR_ALL)('%s is not refused to an agent', async (call) => {
    expect(await codeFor(call)).not.toBe('agent-may-not-decide');
  });
});
