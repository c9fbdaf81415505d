import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ItemView } from '../../../src-shared/api/item.ts';
import { useTransport } from '../../api/api.tsx';
import { callErrorFrom, type CallError, type Transport } from '../../api/transport.ts';
import { useToast } from '../../app/Toast.tsx';
import { UndoToast } from './UndoToast.tsx';
import { writeDraft, type Typed } from './drafts.ts';

/** What a person decides about an item. */
export type Response =
  | { readonly kind: 'option'; readonly option: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'sendBack'; readonly note: string }
  | { readonly kind: 'resolve'; readonly action: string; readonly value: string | null }
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly message: string };

export interface Respond {
  readonly send: (response: Response, typed?: Typed) => void;
  readonly isPending: boolean;
  /** Why the last response was not stored. */
  readonly error: CallError | null;
  readonly clear: () => void;
}

function ask(transport: Transport, item: ItemView, response: Response): Promise<ItemView> {
  const { number } = item;
  switch (response.kind) {
    case 'option':
      return transport.mutate('inbox.answer', {
        item: number,
        reply: { kind: 'option', option: response.option },
      });
    case 'text':
      return transport.mutate('inbox.answer', { item: number, reply: { kind: 'text', text: response.text } });
    case 'approve':
      // The commit that was looked at: another one on offer is refused.
      return transport.mutate('inbox.approve', {
        item: number,
        ...(item.commit === null ? {} : { commit: item.commit }),
      });
    case 'reject':
      return transport.mutate('inbox.reject', {
        item: number,
        ...(response.reason.trim() === '' ? {} : { reason: response.reason }),
      });
    case 'sendBack':
      return transport.mutate('inbox.sendBack', { item: number, note: response.note });
    case 'resolve':
      return transport.mutate('inbox.resolve', {
        item: number,
        action: response.action,
        ...(response.value === null ? {} : { value: response.value }),
      });
    case 'allow':
      return transport.mutate('inbox.allow', { item: number });
    case 'deny':
      return transport.mutate('inbox.deny', {
        item: number,
        ...(response.message.trim() === '' ? {} : { message: response.message }),
      });
  }
}

/**
 * Sends responses to one item, says until when they can be taken back, and moves on.
 *
 * @param onStored the response is stored: time for the next item
 */
export function useRespond(item: ItemView, onStored: (item: ItemView) => void): Respond {
  const transport = useTransport();
  const queries = useQueryClient();
  const { show } = useToast();
  const [pending, setPending] = useState<number | null>(null);
  const [failed, setFailed] = useState<{ readonly item: number; readonly error: CallError } | null>(null);
  const isPending = pending === item.number;

  const send = (response: Response, typed?: Typed): void => {
    if (isPending) return;
    setPending(item.number);
    setFailed(null);
    ask(transport, item, response).then(
      (stored) => {
        setPending(null);
        if (typed !== undefined) writeDraft(typed.kind, item.number, '');
        queries.setQueriesData<ItemView[]>({ queryKey: ['inbox.list'] }, (items) =>
          items?.map((each) => (each.number === stored.number ? stored : each)),
        );
        queries.setQueryData(['inbox.show', { item: stored.number }], stored);
        const left = stored.dispatchAt === null ? 0 : Date.parse(stored.dispatchAt) - Date.now();
        if (left > 0) {
          const hide = show(
            <UndoToast item={stored} {...(typed === undefined ? {} : { typed })} onUndone={() => hide()} />,
            left,
          );
        }
        if (stored.state !== 'open') onStored(stored);
      },
      (error: unknown) => {
        setPending(null);
        setFailed({ item: item.number, error: callErrorFrom(error) });
        // Someone else was first, or the offer is another one: what is shown is old.
        void queries.invalidateQueries({ queryKey: ['inbox.list'] });
        void queries.invalidateQueries({ queryKey: ['inbox.show'] });
      },
    );
  };
  const clear = useCallback(() => setFailed(null), []);
  return { send, isPending, error: failed?.item === item.number ? failed.error : null, clear };
}
