import type { Agent } from '../../src-shared/model/agent.ts';
import type { AgentStore } from '../core/ports/stores.ts';
import type { Connection } from './connection.ts';
import { Table, flag, plain } from './table.ts';

const AGENT = new Table<Agent>('agent', ['name'], {
  name: plain('name'),
  displayName: plain('display_name'),
  harness: plain('harness'),
  model: plain('model'),
  callsPerDay: plain('calls_per_day'),
  callTimeoutS: plain('call_timeout_s'),
  testsUnderAccount: flag('tests_under_account'),
});

export const createAgentStore = (db: Connection): AgentStore => ({
  put: (agent) => AGENT.put(db, agent),
  get: (name) => AGENT.one(db, 'WHERE name = @name', { name }),
  list: () => AGENT.many(db, 'ORDER BY name'),
});
