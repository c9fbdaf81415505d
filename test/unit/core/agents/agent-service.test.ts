import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_AGENT } from '../../../../src-shared/model/agent.ts';
import { createAgentService, ensureDefaultAgent } from '../../../../src-main/core/agents/agent-service.ts';
import { PERSON, ServiceWorld } from '../../../support/service-world.ts';

function setUp() {
  const world = new ServiceWorld();
  onTestFinished(() => world[Symbol.dispose]());
  return { world, agents: createAgentService(world.deps()) };
}

test('the default agent is put into an empty registry once and never over what a person set', () => {
  const { world, agents } = setUp();
  agents.change('claude', { callsPerDay: 0 }, PERSON);
  ensureDefaultAgent(world.stores);
  expect(agents.list()).toEqual([{ ...DEFAULT_AGENT, callsPerDay: 0 }]);
});

test('a change is stored with old and new value of each field that differs', () => {
  const { world, agents } = setUp();
  agents.change('claude', { callsPerDay: 5, model: 'opus', harness: 'claude-code' }, PERSON);
  expect(agents.get('claude')).toEqual({ ...DEFAULT_AGENT, callsPerDay: 5, model: 'opus' });
  expect(world.ledger()).toEqual([
    {
      kind: 'policy.agent_changed',
      data: {
        by: 'asha',
        via: 'cli',
        agent: 'claude',
        changes: { model: { old: 'sonnet', new: 'opus' }, callsPerDay: { old: 20, new: 5 } },
      },
    },
  ]);
});

test.each([
  { displayName: '\u001B]0;owned\u0007Claude' },
  { displayName: 'Claude\u202E' },
  { displayName: 'a\nb' },
  { displayName: '   ' },
  { displayName: 'x'.repeat(101) },
  { model: '--verbose' },
  { model: 'opus\u0000' },
])('what could pass for something else on a screen is refused: %j', (change) => {
  const { world, agents } = setUp();
  expect(() => agents.change('claude', change, PERSON)).toThrow(
    expect.objectContaining({ code: 'usage', hint: expect.any(String) as unknown }),
  );
  expect([agents.get('claude'), world.ledger()]).toEqual([DEFAULT_AGENT, []]);
});

test('each field of an agent goes back to its default, with an entry that says from what', () => {
  const { world, agents } = setUp();
  const { name: _name, ...defaults } = DEFAULT_AGENT;
  const fields = Object.keys(defaults) as (keyof typeof defaults)[];
  const other = {
    displayName: 'Robin',
    model: 'opus',
    callsPerDay: 3,
    callTimeoutS: 60,
    testsUnderAccount: true,
  };
  agents.change('claude', other, PERSON);
  expect(agents.change('claude', {}, PERSON, fields)).toEqual(DEFAULT_AGENT);
  const { changes } = world.ledger().at(-1)?.data as { changes: Record<string, unknown> };
  expect(changes).toEqual(
    Object.fromEntries(
      Object.entries(other).map(([field, old]) => [
        field,
        { old, new: DEFAULT_AGENT[field as keyof typeof other] },
      ]),
    ),
  );
});

test('a change that changes nothing leaves no entry', () => {
  const { world, agents } = setUp();
  agents.change('claude', { callsPerDay: 20 }, PERSON);
  expect(world.ledger()).toEqual([]);
});

test.each([
  ['a negative number of calls', { callsPerDay: -1 }, 'usage'],
  ['a model without a name', { model: '' }, 'usage'],
  ['a harness that is not there yet', { harness: 'builtin' as const }, 'usage'],
])('%s is refused and changes nothing', (_what, change, code) => {
  const { agents } = setUp();
  expect(() => agents.change('claude', change, PERSON)).toThrow(expect.objectContaining({ code }));
  expect(agents.get('claude')).toEqual(DEFAULT_AGENT);
});

test('an agent that is not registered is not found', () => {
  const { agents } = setUp();
  expect(() => agents.get('claud')).toThrow(
    expect.objectContaining({ code: 'not-found', hint: 'Known: claude.' }),
  );
});
