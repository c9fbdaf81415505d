import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import type { CallInput, CallOutput, MutationName, QueryName } from '../../src-shared/api/calls.ts';
import type { ChangeView } from '../../src-shared/api/hub.ts';
import { CallError, type ConnectionState, type Transport } from './transport.ts';

const TransportContext = createContext<Transport | null>(null);

export function useTransport(): Transport {
  const transport = useContext(TransportContext);
  if (transport === null) throw new Error('useTransport outside of ApiProvider');
  return transport;
}

/** Beginnings of the names of calls whose answers a change makes old. */
const STALE_AFTER: Record<ChangeView['kind'], readonly string[]> = {
  task: ['task.', 'board.', 'hub.', 'inbox.', 'report.', 'ledger.', 'project.'],
  item: ['inbox.', 'board.', 'hub.', 'task.', 'ledger.', 'report.'],
  project: ['project.', 'board.', 'hub.', 'agent.', 'inbox.', 'settings.', 'ledger.'],
  hub: ['hub.', 'board.', 'inbox.', 'settings.', 'project.', 'spike.', 'agent.', 'ledger.'],
  reset: [''],
};
/** Changes that come together are one look: a busy hub stores many a second. */
const LOOK_AFTER_MS = 60;

const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Answers get old by changes, not by time; the connection tells when to look again.
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (count, error) => count < 2 && error instanceof CallError && error.code === 'no-connection',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });

export function ApiProvider({ transport, children }: { transport: Transport; children: ReactNode }) {
  return (
    <TransportContext value={transport}>
      <QueryClientProvider client={queriesOf(transport)}>
        <Changes />
        {children}
      </QueryClientProvider>
    </TransportContext>
  );
}

const queries = new WeakMap<Transport, QueryClient>();
function queriesOf(transport: Transport): QueryClient {
  const known = queries.get(transport);
  if (known !== undefined) return known;
  const made = createQueries();
  queries.set(transport, made);
  return made;
}

/** Keeps what is shown true: every change of the hub makes the answers it touches be asked again. */
function Changes() {
  const transport = useTransport();
  const client = useQueryClient();
  useEffect(() => {
    const waiting = new Set<ChangeView['kind']>();
    let timer: number | null = null;
    const look = (): void => {
      timer = null;
      const beginnings = [...waiting].flatMap((kind) => STALE_AFTER[kind]);
      waiting.clear();
      void client.invalidateQueries({
        predicate: ({ queryKey: [name] }) =>
          typeof name === 'string' && beginnings.some((beginning) => name.startsWith(beginning)),
      });
    };
    const note = (kind: ChangeView['kind']): void => {
      waiting.add(kind);
      timer ??= window.setTimeout(look, LOOK_AFTER_MS);
    };
    const stop = transport.subscribe(
      'hub.changes',
      {},
      { onData: (change) => note(change.kind), onError: () => note('reset') },
    );
    let state = transport.connection.state();
    const stopListening = transport.connection.listen(() => {
      const before = state;
      state = transport.connection.state();
      if (state === 'open' && before !== 'open') note('reset');
    });
    return () => {
      stop();
      stopListening();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, [transport, client]);
  return null;
}

export function useConnection(): ConnectionState {
  const { connection } = useTransport();
  return useSyncExternalStore(connection.listen, connection.state);
}

/** When the connection broke and when the next attempt is made, in ms since 1970; null when not known. */
export function useLost(): { readonly lostAt: number | null; readonly nextTryAt: number | null } {
  const { connection } = useTransport();
  const lostAt = useSyncExternalStore(connection.listen, connection.lostAt);
  const nextTryAt = useSyncExternalStore(connection.listen, connection.nextTryAt);
  return { lostAt, nextTryAt };
}

interface CallOptions {
  /** False: not asked yet. */
  readonly enabled?: boolean;
  /** The last answer stays while the next one, for another input, is under way. */
  readonly keepPrevious?: boolean;
}

/** The answer of a query, kept true by the hub's changes. */
export function useCall<Name extends QueryName>(
  name: Name,
  input: CallInput<Name>,
  options: CallOptions = {},
): UseQueryResult<CallOutput<Name>, CallError> {
  const transport = useTransport();
  return useQuery<CallOutput<Name>, CallError>({
    queryKey: [name, input ?? null],
    queryFn: () => transport.query(name, input),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
  });
}

/** A mutation. What it changed comes back as a change of the hub. */
export function useAction<Name extends MutationName>(
  name: Name,
): UseMutationResult<CallOutput<Name>, CallError, CallInput<Name>> {
  const transport = useTransport();
  return useMutation<CallOutput<Name>, CallError, CallInput<Name>>({
    mutationKey: [name],
    mutationFn: (input) => transport.mutate(name, input),
  });
}
