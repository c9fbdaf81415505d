import { z } from 'zod';

/** ISO 8601 in UTC. */
export const IsoTime = z.iso.datetime();
/** US dollars. Cost figures are the CLI's own estimate (10-relay, Caps). */
export const Usd = z.number();

/** A project by its name or its `prj_…` id. */
export const ProjectRef = z.string().trim().min(1, 'name a project').max(400);
/** A task by its small number (`14`, `#14`) or its `tsk_…` id. */
export const TaskRef = z.union([
  z.number().int().min(1),
  z.string().trim().min(1, 'name a task by its number').max(100),
]);
/** An inbox item by its small number (`52`, `#52`). */
export const ItemRef = z.union([
  z.number().int().min(1),
  z.string().trim().min(1, 'name an item by its number').max(100),
]);

/** Longest text a person may send: far above what fits a prompt, far below what hurts the store. */
export const LONGEST_TEXT = 1_000_000;
export const PersonText = z.string().max(LONGEST_TEXT, `at most ${LONGEST_TEXT} characters`);

/** Answer of a call that only says that it was done. */
export const Done = z.object({ ok: z.literal(true) });
export const DONE = { ok: true } as const;

/** Leaves out fields that are `undefined`, as `exactOptionalPropertyTypes` wants. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // The filter took exactly the values that the type leaves out.
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
