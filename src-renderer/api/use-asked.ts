import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CallInput, CallOutput, QueryName } from '../../src-shared/api/calls.ts';
import { useTransport } from './api.tsx';
import type { CallError } from './transport.ts';

interface AskOptions {
  /** False: not asked yet. */
  readonly enabled?: boolean;
  /** Asked anew whenever it is shown again; the last answer stays meanwhile. */
  readonly isFresh?: boolean;
  /** The last answer stays while the next one, for another input, is under way. */
  readonly keepPrevious?: boolean;
}

/**
 * The answer of a query that looks at the machine or through a long chain: asked once, and again by `refetch` alone.
 * What the hub stores meanwhile does not make it old.
 */
export function useAsked<Name extends QueryName>(
  name: Name,
  input: CallInput<Name>,
  options: AskOptions = {},
): UseQueryResult<CallOutput<Name>, CallError> {
  const transport = useTransport();
  return useQuery<CallOutput<Name>, CallError>({
    // No text in the first place: changes go by the name that stands there.
    queryKey: [{ asked: name }, input ?? null],
    queryFn: () => transport.query(name, input),
    enabled: options.enabled ?? true,
    ...(options.isFresh === true ? { staleTime: 0 } : {}),
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
}
