import Database from 'better-sqlite3';

/** Plain SQL on the file, as somebody with the `sqlite3` program would write it. */
export function rawSql(file: string, sql: string): void {
  const raw = new Database(file);
  try {
    raw.exec(sql);
  } finally {
    raw.close();
  }
}

export function rawValue(file: string, sql: string): unknown {
  const raw = new Database(file, { readonly: true });
  try {
    return raw.prepare(sql).pluck().get();
  } finally {
    raw.close();
  }
}

/** Alters entries behind the triggers' back, which takes a change of the schema. */
export const tamper = (file: string, sql: string): void =>
  rawSql(
    file,
    `DROP TRIGGER ledger_entry_is_never_changed; DROP TRIGGER ledger_entry_is_never_deleted; ${sql}`,
  );
