import { z } from 'zod';

/** A named agent of the registry; its caps hold over all projects (10-relay, Agents). */
export const Agent = z.object({
  name: z.string().min(1),
  displayName: z.string().min(1),
  harness: z.enum(['claude-code', 'builtin']),
  model: z.string().min(1),
  /** 0 means registered but off. */
  callsPerDay: z.number().int().min(0),
  callTimeoutS: z.number().int().min(1),
  /** Whether tests of its work run under the project's `runTestsAs` account. */
  testsUnderAccount: z.boolean(),
});
export type Agent = z.infer<typeof Agent>;

export const DEFAULT_AGENT: Agent = {
  name: 'claude',
  displayName: 'Claude Code',
  harness: 'claude-code',
  model: 'sonnet',
  callsPerDay: 20,
  callTimeoutS: 15 * 60,
  testsUnderAccount: false,
};
