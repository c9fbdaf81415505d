import Database from 'better-sqlite3';
import { AppError } from '../../src-shared/errors.ts';
import type { StorePlace } from './sqlite-errors.ts';
import { storeError } from './sqlite-errors.ts';

export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, SqlValue>>;
export type SqlParameters = Readonly<Record<string, SqlValue>>;

export interface ConnectionOptions extends StorePlace {
  /** `FULL`: a commit survives a power cut. `NORMAL`: the last commits may be lost then, never torn. */
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly isReadonly: boolean;
  /** Opened in place of the file, for reading. */
  readonly image?: Buffer;
  /** How long a statement waits for another process, with the thread. */
  readonly busyTimeoutMs: number;
  /** Bound of the file's size; none unless given. */
  readonly maxPages?: number | undefined;
}

const NONE: SqlParameters = {};

/**
 * One connection: statements prepared at their first use and kept, transactions that join, failures of SQLite as
 * `AppError`s.
 *
 * Invariants: no statement stays open between two calls. Within a transaction every statement runs in it or throws
 * (SQLite ends a transaction by itself when the disk is full, and what followed would otherwise commit alone).
 */
export class Connection {
  private readonly db: Database.Database;
  private readonly place: StorePlace;
  private readonly begin: string;
  private readonly statements = new Map<string, Database.Statement>();
  private depth = 0;
  /** Set when a joined transaction threw: the outer one must not commit its half. */
  private failure: { readonly cause: unknown } | null = null;

  /** @throws AppError 'store-unusable' | 'disk-full' */
  constructor(options: ConnectionOptions) {
    this.place = options;
    this.begin = options.isReadonly ? 'BEGIN' : 'BEGIN IMMEDIATE';
    this.db = this.mapped(
      () =>
        new Database(options.image ?? options.file, {
          readonly: options.isReadonly,
          fileMustExist: true,
          timeout: options.busyTimeoutMs,
        }),
    );
    try {
      this.mapped(() => this.configure(options));
    } catch (error) {
      this.db.close();
      throw error;
    }
  }

  private configure(options: ConnectionOptions): void {
    const { db } = this;
    if (!options.isReadonly && db.pragma('journal_mode', { simple: true }) !== 'wal') {
      db.pragma('journal_mode = WAL');
    }
    db.pragma(`synchronous = ${options.synchronous}`);
    if (options.synchronous === 'FULL') db.pragma('fullfsync = ON');
    db.pragma('foreign_keys = ON');
    // Deleted texts are overwritten, not only unlinked.
    db.pragma('secure_delete = ON');
    // A replaced row counts as deleted, for the triggers that guard the ledger.
    db.pragma('recursive_triggers = ON');
    db.pragma('journal_size_limit = 67108864');
    db.pragma('trusted_schema = OFF');
    if (options.maxPages !== undefined) db.pragma(`max_page_count = ${options.maxPages}`);
  }

  get isInTransaction(): boolean {
    return this.depth > 0;
  }

  get userVersion(): number {
    return Number(this.mapped(() => this.db.pragma('user_version', { simple: true })));
  }

  get applicationId(): number {
    return Number(this.mapped(() => this.db.pragma('application_id', { simple: true })));
  }

  /** @returns number of rows changed */
  run(sql: string, parameters: SqlParameters = NONE): number {
    return this.mapped(() => this.statement(sql).run(parameters).changes);
  }

  /** @returns the integer key of the new row */
  insert(sql: string, parameters: SqlParameters): number {
    return this.mapped(() => Number(this.statement(sql).run(parameters).lastInsertRowid));
  }

  get(sql: string, parameters: SqlParameters = NONE): SqlRow | null {
    return this.mapped(() => (this.statement(sql).get(parameters) as SqlRow | undefined) ?? null);
  }

  all(sql: string, parameters: SqlParameters = NONE): readonly SqlRow[] {
    return this.mapped(() => this.statement(sql).all(parameters) as SqlRow[]);
  }

  /** Statements that are run once, such as a migration's. */
  exec(sql: string): void {
    this.mapped(() => this.db.exec(sql));
  }

  /** Writes a whole, compact copy into an empty file. Not within a transaction. */
  vacuumInto(file: string): void {
    this.mapped(() => this.db.prepare('VACUUM INTO ?').run(file));
  }

  /**
   * Runs the work in one transaction that holds the write lock from its start. Nested calls join the outer one; if
   * one of them throws, the whole is rolled back, even when somebody between caught it.
   *
   * @param work must be synchronous
   */
  transaction<T>(work: () => T): T {
    if (this.depth > 0) return this.joined(work);
    this.exec(this.begin);
    this.depth = 1;
    this.failure = null;
    try {
      const result = work();
      this.check(result);
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    } finally {
      this.depth = 0;
      this.failure = null;
    }
  }

  private rollBack(): void {
    // SQLite may have rolled back by itself.
    if (!this.db.inTransaction) return;
    try {
      this.db.exec('ROLLBACK');
    } catch {
      // What made us roll back says more; a transaction that stays open fails the next BEGIN.
    }
  }

  private joined<T>(work: () => T): T {
    this.depth += 1;
    try {
      const result = work();
      this.check(result);
      return result;
    } catch (cause) {
      this.failure ??= { cause };
      throw cause;
    } finally {
      this.depth -= 1;
    }
  }

  private check(result: unknown): void {
    if (result instanceof Promise) {
      throw new AppError('internal', 'A transaction must not wait: its work returned a promise.');
    }
    if (this.failure !== null && this.depth === 1) {
      throw new AppError('internal', 'A part of the transaction failed, so none of it was stored.', {
        cause: this.failure.cause,
      });
    }
  }

  close(): void {
    if (this.db.open) this.db.close();
  }

  private statement(sql: string): Database.Statement {
    if (this.depth > 0 && !this.db.inTransaction) {
      throw new AppError('internal', 'The transaction has ended already; nothing of it was stored.');
    }
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  private mapped<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw storeError(error, this.place);
    }
  }
}
