import { z } from 'zod';
import type { RequestedChanges } from '../../../../src-shared/model/task.ts';

/** What the model handed in, as `RELAY_SCHEMA` asks for it. All of it is untrusted text. */
const StructuredAnswer = z.object({
  status: z.enum(['done', 'question']),
  question: z.string().optional(),
  options: z.array(z.string()).optional(),
  summary: z.string(),
  remove: z.array(z.string()).optional(),
  rename: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
});

export type RelayAnswer =
  | ({ readonly kind: 'done' } & RequestedChanges)
  | {
      readonly kind: 'question';
      readonly question: string;
      readonly options: readonly string[];
      readonly summary: string;
    }
  /** `status: question` with nothing to read. */
  | { readonly kind: 'no-question' }
  /** Absent, or not what was asked for. */
  | { readonly kind: 'none' };

/** Reads `structured_output` of a result. Options that are blank or said twice cannot be chosen and are left out. */
export function readRelayAnswer(value: unknown): RelayAnswer {
  const parsed = StructuredAnswer.safeParse(value);
  if (!parsed.success) return { kind: 'none' };
  const { status, question = '', options = [], summary, remove = [], rename = [] } = parsed.data;
  if (status === 'done') return { kind: 'done', summary, remove, rename };
  if (question.trim() === '') return { kind: 'no-question' };
  const chosen = [...new Set(options.filter((option) => option.trim() !== ''))];
  return { kind: 'question', question, options: chosen, summary };
}
