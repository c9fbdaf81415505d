import { AppError } from '../../../src-shared/errors.ts';
import { Agent, DEFAULT_AGENT } from '../../../src-shared/model/agent.ts';
import type { LedgerValue } from '../../../src-shared/model/ledger-entry.ts';
import type { CoreDeps } from '../ports/deps.ts';
import type { Stores } from '../ports/stores.ts';
import type { AgentService } from '../services.ts';
import { agentOf } from '../projects/project-figures.ts';
import { checkModel, checkVisibleName } from '../projects/settings.ts';

/** Puts the default agent into an empty registry. Runs at each start of whatever opens the store. */
export function ensureDefaultAgent(stores: Pick<Stores, 'agents' | 'transaction'>): void {
  stores.transaction(() => {
    if (stores.agents.list().length === 0) stores.agents.put(DEFAULT_AGENT);
  });
}

/** The registry of named agents (10-relay, Agents). Each change is one transaction with its ledger entry. */
export function createAgentService(deps: Pick<CoreDeps, 'stores' | 'feed'>): AgentService {
  const { stores } = deps;
  return {
    list: () => stores.agents.list(),
    get: (name) => agentOf(stores, name),
    change(name, change, actor, clear = []) {
      const agent = stores.transaction(() => {
        const before = agentOf(stores, name);
        const parsed = Agent.safeParse({
          ...before,
          ...withoutUndefined(change),
          ...Object.fromEntries(clear.map((field) => [field, DEFAULT_AGENT[field]])),
          name,
        });
        if (!parsed.success) {
          const [issue] = parsed.error.issues;
          throw new AppError(
            'usage',
            `${issue?.path.join('.') ?? 'agent'}: ${issue?.message ?? 'not valid'}`,
            {
              hint: 'See signalbox agent set --help for what each field takes.',
            },
          );
        }
        const after = parsed.data;
        if (after.harness !== 'claude-code') {
          throw new AppError('usage', `harness: ${after.harness} is not available in this version.`, {
            hint: 'Use harness=claude-code.',
          });
        }
        checkVisibleName('displayName: a name', after.displayName, 'Give another one: displayName=NAME');
        if (after.model !== before.model) checkModel(after.model);
        const changes = changesOf(before, after);
        if (Object.keys(changes).length === 0) return before;
        stores.agents.put(after);
        stores.ledger.append({
          kind: 'policy.agent_changed',
          data: { by: actor.name, via: actor.via, agent: name, changes },
        });
        return after;
      });
      deps.feed.hubChanged();
      return agent;
    },
  };
}

const withoutUndefined = (change: Partial<Agent>): Partial<Agent> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** Old and new value of every field that differs. */
function changesOf(before: Agent, after: Agent): Record<string, { old: LedgerValue; new: LedgerValue }> {
  const fields = Object.keys(Agent.shape) as (keyof Agent)[];
  return Object.fromEntries(
    fields
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { old: before[field], new: after[field] }]),
  );
}
