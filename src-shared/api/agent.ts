import { z } from 'zod';
import { Agent } from '../model/agent.ts';

export const AgentInput = z.object({ name: z.string().min(1).max(100) });
export const AgentChange = Agent.omit({ name: true }).partial().strict();
export const AGENT_FIELDS = Object.keys(AgentChange.shape) as (keyof z.infer<typeof AgentChange>)[];
export const ChangeAgentInput = z.object({
  name: z.string().min(1).max(100),
  change: AgentChange,
  /** Fields that go back to their default. */
  clear: z.array(z.enum(AGENT_FIELDS)).optional(),
});

/** `agent show`, and each entry of `agent list`. */
export const AgentView = Agent.extend({
  /** False when `callsPerDay` is 0. */
  enabled: z.boolean(),
  callsToday: z.number().int(),
});
export type AgentView = z.infer<typeof AgentView>;
