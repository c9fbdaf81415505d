import { expect, test } from 'vitest';
import { z } from 'zod';
import { plainIssue } from '../../../src-shared/plain-issue.ts';

const saidOf = (schema: z.ZodType, value: unknown): string | null => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue === undefined ? null : plainIssue(issue);
};

test.each<[z.ZodType, unknown, string]>([
  [z.object({ a: z.string() }), {}, 'a is missing.'],
  [z.object({ a: z.string() }), { a: 1 }, 'a has to be text.'],
  [z.object({ a: z.number() }), { a: 'x' }, 'a has to be a number.'],
  [z.object({ a: z.number().int() }), { a: 1.5 }, 'a has to be a whole number.'],
  [z.object({ a: z.boolean() }), { a: 1 }, 'a has to be true or false.'],
  [z.object({ a: z.array(z.string()) }), { a: 'x' }, 'a has to be a list.'],
  [z.object({ a: z.string().min(1) }), { a: '' }, 'a must not be empty.'],
  [z.object({ a: z.string().max(3) }), { a: 'four' }, 'a has to be at most 3 characters.'],
  [z.object({ a: z.number().min(2) }), { a: 1 }, 'a has to be at least 2.'],
  [z.object({ a: z.array(z.string()).min(1) }), { a: [] }, 'a has to be at least 1 entry.'],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'a has to be one of x, y.'],
  [z.object({ a: z.object({ b: z.literal(true) }) }), { a: { b: 1 } }, 'a.b has to be true.'],
  [z.object({ a: z.string().regex(/x/) }), { a: 'z' }, 'a is not valid.'],
  [z.object({ a: z.string().min(1, 'a task needs a title') }), { a: '' }, 'a: a task needs a title.'],
  [z.object({ a: z.string().regex(/x/, 'has to hold an x.') }), { a: 'z' }, 'a has to hold an x.'],
  [z.strictObject({}), { b: 1 }, 'there is no field b.'],
  [z.string(), 1, 'The input has to be text.'],
])('what is wrong is one sentence without words of the library (%#)', (schema, value, sentence) => {
  expect(saidOf(schema, value)).toBe(sentence);
});
