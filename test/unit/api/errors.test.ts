import { TRPCError } from '@trpc/server';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError, INTERNAL } from '../../../src-shared/errors.ts';
import { wireErrorOf } from '../../../src-main/api/errors.ts';

describe('what a caller is told of an error', () => {
  test('is its own code, message and hint', () => {
    const cause = new AppError('item-closed', 'It is closed.', {
      hint: 'Look again.',
      data: { secret: 'x' },
    });
    const wire = { code: 'item-closed', message: 'It is closed.', hint: 'Look again.' };
    expect(wireErrorOf(cause)).toEqual(wire);
    expect(wireErrorOf(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))).toEqual(wire);
  });

  test('is nothing of an unknown error', () => {
    const cause = new Error('SELECT secret FROM prompt');
    expect(wireErrorOf(cause)).toEqual(INTERNAL);
    expect(wireErrorOf(new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause }))).toEqual(INTERNAL);
    expect(wireErrorOf('text')).toEqual(INTERNAL);
  });

  test('names the field of a wrong input, not its value', () => {
    const { error } = z.strictObject({ slots: z.number().max(8) }).safeParse({ slots: 99_999 });
    const wire = wireErrorOf(new TRPCError({ code: 'BAD_REQUEST', cause: error }));
    expect(wire).toMatchObject({ code: 'usage', message: 'slots has to be at most 8.' });
    expect(wire.message).not.toContain('99999');
  });

  test('of an unknown call says that versions may differ', () => {
    const wire = wireErrorOf(new TRPCError({ code: 'NOT_FOUND', message: 'No procedure' }));
    expect(wire).toMatchObject({ code: 'usage', hint: expect.stringContaining('version') as string });
  });
});
