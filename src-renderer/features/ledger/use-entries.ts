import { useEffect, useState } from 'react';
import type { LedgerEntryView } from '../../../src-shared/api/ledger.ts';
import { useTransport } from '../../api/api.tsx';
import { callErrorFrom, type CallError } from '../../api/transport.ts';

export interface EntryFilter {
  readonly project?: string;
  readonly kind?: string;
  readonly task?: string;
  /** ISO time. */
  readonly since?: string;
}

interface Loaded {
  /** Oldest first. */
  readonly entries: readonly LedgerEntryView[];
  /** Whether there may be older ones that match. */
  readonly isCut: boolean;
}

export interface Entries {
  readonly loaded: Loaded | null;
  readonly error: CallError | null;
  readonly retry: () => void;
}

/** New entries are shown together: a busy hub writes many a second. */
const SHOW_AFTER_MS = 100;

/**
 * The newest entries that match, and while they are followed every new one.
 *
 * @param limit how many of the newest are loaded; more of them arrive when it grows
 */
export function useEntries(filter: EntryFilter, limit: number, isFollowing: boolean): Entries {
  const transport = useTransport();
  const { project, kind, task, since } = filter;
  const key = JSON.stringify([project, kind, task, since]);
  const [state, setState] = useState<{ key: string; loaded: Loaded | null; error: CallError | null }>({
    key,
    loaded: null,
    error: null,
  });
  const [attempt, setAttempt] = useState(0);
  const input = JSON.stringify({ project, kind, task, since });

  useEffect(() => {
    let isOld = false;
    transport.query('ledger.list', { ...(JSON.parse(input) as EntryFilter), limit }).then(
      (entries) => {
        if (!isOld) setState({ key, loaded: { entries, isCut: entries.length === limit }, error: null });
      },
      (error: unknown) => {
        if (!isOld) setState({ key, loaded: null, error: callErrorFrom(error) });
      },
    );
    return () => {
      isOld = true;
    };
  }, [transport, input, key, limit, attempt]);

  const isLoaded = state.key === key && state.loaded !== null;
  const lastSeq = isLoaded ? (state.loaded?.entries.at(-1)?.seq ?? 0) : null;
  // Where following begins; what it brings itself does not begin it again.
  const [from, setFrom] = useState<{ readonly of: string; readonly seq: number } | null>(null);
  const start = `${key} ${limit} ${attempt}`;
  useEffect(() => {
    if (!isFollowing || lastSeq === null) setFrom(null);
    else setFrom((before) => (before?.of === start ? before : { of: start, seq: lastSeq }));
  }, [isFollowing, lastSeq, start]);

  useEffect(() => {
    if (from === null) return undefined;
    let arrived: LedgerEntryView[] = [];
    let timer: number | null = null;
    const show = (): void => {
      timer = null;
      const more = arrived;
      arrived = [];
      setState((before) => {
        if (before.loaded === null) return before;
        const last = before.loaded.entries.at(-1)?.seq ?? 0;
        const entries = [...before.loaded.entries, ...more.filter(({ seq }) => seq > last)];
        return { ...before, loaded: { ...before.loaded, entries } };
      });
    };
    const stop = transport.subscribe(
      'ledger.follow',
      { ...(JSON.parse(input) as EntryFilter), lastEventId: String(from.seq) },
      {
        onData: (entry) => {
          arrived.push(entry);
          timer ??= window.setTimeout(show, SHOW_AFTER_MS);
        },
        onError: (error) => setState((before) => ({ ...before, error })),
      },
    );
    return () => {
      stop();
      if (timer !== null) window.clearTimeout(timer);
    };
  }, [transport, input, from]);

  return {
    loaded: state.key === key ? state.loaded : null,
    error: state.key === key ? state.error : null,
    retry: () => setAttempt((count) => count + 1),
  };
}
