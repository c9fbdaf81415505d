import { useCallback, useEffect, useReducer, useState } from 'react';
import type { TaskEventsView, TurnEventView, TurnView } from '../../../src-shared/api/timeline.ts';
import { useCall, useTransport } from '../../api/api.tsx';
import { callErrorFrom, type CallError } from '../../api/transport.ts';

const FIRST_PAGE = 200;
const PAGE = 200;
const NO_TURNS: readonly TurnView[] = [];

export interface Stretch {
  /** Oldest first. */
  readonly events: readonly TurnEventView[];
  /** All turns of the task when the first page came. */
  readonly turns: readonly TurnView[];
  readonly hasOlder: boolean;
  readonly error: CallError | null;
  readonly isLoading: boolean;
}

type Step =
  | { readonly kind: 'opened'; readonly page: TaskEventsView }
  | { readonly kind: 'older'; readonly page: TaskEventsView }
  | { readonly kind: 'came'; readonly events: readonly TurnEventView[] }
  | { readonly kind: 'failed'; readonly error: CallError }
  | { readonly kind: 'loading' };

export const EMPTY: Stretch = { events: [], turns: NO_TURNS, hasOlder: false, error: null, isLoading: true };

/** The stretch of events that is known, after a page or events came. What is known already is not taken twice. */
export function nextStretch(stretch: Stretch, step: Step): Stretch {
  switch (step.kind) {
    case 'opened':
      return {
        events: step.page.events,
        turns: step.page.turns,
        hasOlder: step.page.hasOlder,
        error: null,
        isLoading: false,
      };
    case 'older': {
      const oldest = stretch.events[0]?.id ?? Number.MAX_SAFE_INTEGER;
      const events = [...step.page.events.filter((event) => event.id < oldest), ...stretch.events];
      return { ...stretch, events, hasOlder: step.page.hasOlder, error: null, isLoading: false };
    }
    case 'came': {
      const newest = stretch.events.at(-1)?.id ?? 0;
      const events = step.events.filter((event) => event.id > newest);
      return events.length === 0 ? stretch : { ...stretch, events: [...stretch.events, ...events] };
    }
    case 'failed':
      return { ...stretch, error: step.error, isLoading: false };
    case 'loading':
      return { ...stretch, isLoading: true, error: null };
  }
}

/**
 * Events of a task from the newest backwards, page by page, and those that come.
 *
 * @param task number or id
 */
export function useTimeline(
  task: string,
): Stretch & { readonly loadOlder: () => void; readonly retry: () => void } {
  const transport = useTransport();
  const [stretch, step] = useReducer(nextStretch, EMPTY);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let stop: (() => void) | null = null;
    let isOver = false;
    const waiting: TurnEventView[] = [];
    let frame: number | null = null;
    const flush = (): void => {
      frame = null;
      step({ kind: 'came', events: waiting.splice(0) });
    };
    transport.query('task.events', { task, limit: FIRST_PAGE }).then(
      (page) => {
        if (isOver) return;
        step({ kind: 'opened', page });
        stop = transport.subscribe(
          'task.follow',
          { task, lastEventId: String(page.lastId) },
          {
            // A busy turn stores many at once: they become one drawing.
            onData: (event) => {
              waiting.push(event);
              frame ??= requestAnimationFrame(flush);
            },
            onError: (error) => step({ kind: 'failed', error }),
          },
        );
      },
      (error: unknown) => {
        if (!isOver) step({ kind: 'failed', error: callErrorFrom(error) });
      },
    );
    return () => {
      isOver = true;
      stop?.();
      if (frame !== null) cancelAnimationFrame(frame);
    };
  }, [transport, task, attempt]);

  const oldest = stretch.events[0]?.id;
  const canLoad = stretch.hasOlder && !stretch.isLoading && oldest !== undefined;
  const loadOlder = useCallback(() => {
    if (!canLoad) return;
    step({ kind: 'loading' });
    transport.query('task.events', { task, before: oldest, limit: PAGE }).then(
      (page) => step({ kind: 'older', page }),
      (error: unknown) => step({ kind: 'failed', error: callErrorFrom(error) }),
    );
  }, [transport, task, oldest, canLoad]);

  const retry = useCallback(() => {
    step({ kind: 'loading' });
    setAttempt((count) => count + 1);
  }, []);

  return { ...stretch, loadOlder, retry };
}

/** All turns of a task, kept true by the hub's changes. */
export const useTurns = (task: string): readonly TurnView[] =>
  useCall('task.events', { task, limit: 1 }).data?.turns ?? NO_TURNS;
