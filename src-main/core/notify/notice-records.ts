import type { EpochMs } from '../../../src-shared/time.ts';

/** Where a click leads. */
export type NoticeTarget =
  | { readonly kind: 'inbox' }
  | { readonly kind: 'item'; readonly number: number }
  | { readonly kind: 'task'; readonly number: number };

/** What a key stands for, for as long as the notification may still be in a list of the system. */
export interface NoticeRecord {
  readonly key: string;
  readonly at: EpochMs;
  readonly target: NoticeTarget;
  /** Items that it tells of: withdrawn with the last of them. */
  readonly items: readonly number[];
  readonly project: string | null;
  readonly isBundle: boolean;
  /** Hash of the item's state that was offered; null when nothing can be answered here. */
  readonly generation: string | null;
  /** Button → exact text of an option. */
  readonly options: Readonly<Record<string, string>>;
  readonly canReply: boolean;
  readonly canDeny: boolean;
}

/** Keeps them over a restart. Loading what cannot be read gives none. */
export interface NoticeRecordStore {
  load(): readonly NoticeRecord[];
  save(records: readonly NoticeRecord[]): void;
}

const KEPT_MS = 7 * 24 * 3600 * 1000;
const MOST_RECORDS = 500;

export interface NoticeRecords {
  get(key: string): NoticeRecord | null;
  put(record: NoticeRecord): void;
  remove(key: string): void;
  /** Newest last. */
  all(): readonly NoticeRecord[];
}

/** Records by key; older than seven days, or one too many, and a key is unknown again. */
export function createNoticeRecords(store: NoticeRecordStore, now: () => EpochMs): NoticeRecords {
  const records = new Map(store.load().map((record) => [record.key, record]));

  const forgetOld = (): void => {
    for (const [key, { at }] of records) if (now() - at > KEPT_MS) records.delete(key);
    for (const key of records.keys()) {
      if (records.size <= MOST_RECORDS) break;
      records.delete(key);
    }
  };
  const changed = (): void => {
    forgetOld();
    store.save([...records.values()]);
  };

  return {
    get: (key) => {
      const record = records.get(key);
      return record === undefined || now() - record.at > KEPT_MS ? null : record;
    },
    put: (record) => {
      records.delete(record.key);
      records.set(record.key, record);
      changed();
    },
    remove: (key) => {
      if (records.delete(key)) changed();
    },
    all: () => [...records.values()],
  };
}
