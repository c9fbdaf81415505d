import { AppError } from '../../src-shared/errors.ts';
import type { Connection, SqlParameters, SqlRow, SqlValue } from './connection.ts';

/** How a member of a model type is kept in its column. Rows are written by us, so reading trusts them. */
interface Codec {
  readonly write: (value: never) => SqlValue;
  readonly read: (value: SqlValue) => unknown;
}

export interface Column extends Codec {
  readonly name: string;
}

/** Text, whole number or null, as it is. */
export const plain = (name: string): Column => ({
  name,
  write: (value: SqlValue) => value,
  read: (value) => value,
});
/** 0 or 1. */
export const flag = (name: string): Column => ({
  name,
  write: (value: boolean) => (value ? 1 : 0),
  read: (value) => value === 1,
});
/** A list or an object as JSON; null stays NULL. */
export const json = (name: string): Column => ({
  name,
  write: (value: unknown) => (value === null ? null : JSON.stringify(value)),
  read: (value) => (value === null ? null : (JSON.parse(String(value)) as unknown)),
});

/**
 * Writes and reads one model type as rows of one table. `Model` names every member of the type, so a member that
 * is added to the type and not to the table fails to compile.
 */
export class Table<Model extends object> {
  readonly name: string;
  /** Column names for a SELECT. */
  readonly columns: string;
  private readonly members: readonly (readonly [string, Column])[];
  private readonly insertSql: string;
  private readonly updateSql: string;
  private readonly upsertSql: string;

  constructor(name: string, key: readonly string[], members: { readonly [Member in keyof Model]-?: Column }) {
    this.name = name;
    this.members = Object.entries(members);
    const names = this.members.map(([, column]) => column.name);
    const sets = names
      .filter((column) => !key.includes(column))
      .map((column) => `${column} = @${column}`)
      .join(', ');
    this.columns = names.join(', ');
    this.insertSql = `INSERT INTO ${name} (${this.columns}) VALUES (${names.map((column) => `@${column}`).join(', ')})`;
    this.updateSql = `UPDATE ${name} SET ${sets} WHERE ${key.map((column) => `${column} = @${column}`).join(' AND ')}`;
    this.upsertSql = `${this.insertSql} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets}`;
  }

  insert(db: Connection, model: Model): void {
    db.run(this.insertSql, this.row(model));
  }

  /** For tables whose integer key SQLite gives: the member of the key is null in the model. @returns the key */
  insertNumbered(db: Connection, model: Record<keyof Model, unknown>): number {
    return db.insert(this.insertSql, this.row(model as Model));
  }

  /** @throws AppError 'internal' when there is no such row */
  update(db: Connection, model: Model): void {
    if (db.run(this.updateSql, this.row(model)) !== 1) {
      throw new AppError('internal', `There is no such ${this.name} to change.`);
    }
  }

  put(db: Connection, model: Model): void {
    db.run(this.upsertSql, this.row(model));
  }

  /** @param rest what follows `SELECT … FROM <table>` */
  one(db: Connection, rest: string, parameters?: SqlParameters): Model | null {
    const row = db.get(`SELECT ${this.columns} FROM ${this.name} ${rest}`, parameters);
    return row === null ? null : this.model(row);
  }

  /** @param rest what follows `SELECT … FROM <table>` */
  many(db: Connection, rest: string, parameters?: SqlParameters): Model[] {
    return db
      .all(`SELECT ${this.columns} FROM ${this.name} ${rest}`, parameters)
      .map((row) => this.model(row));
  }

  private row(model: Model): SqlParameters {
    const row: Record<string, SqlValue> = {};
    for (const [member, column] of this.members) {
      // The constructor's type ties each member to its column; a column takes what its member holds.
      row[column.name] = column.write((model as Record<string, unknown>)[member] as never);
    }
    return row;
  }

  private model(row: SqlRow): Model {
    const model: Record<string, unknown> = {};
    for (const [member, column] of this.members) model[member] = column.read(row[column.name] ?? null);
    return model as Model;
  }
}

/**
 * Conditions for `column IN (…)` with named parameters; one condition that nothing fulfils for an empty list.
 * SQLite keeps each number of values as a statement of its own, so lists must be short (states, kinds, projects).
 */
export function among(
  column: string,
  values: readonly SqlValue[],
): { readonly sql: string; readonly parameters: SqlParameters } {
  const names = values.map((_, index) => `${column}_${index}`);
  return {
    sql: values.length === 0 ? '0' : `${column} IN (${names.map((name) => `@${name}`).join(', ')})`,
    parameters: Object.fromEntries(names.map((name, index) => [name, values[index] ?? null])),
  };
}

/** Parts of a WHERE that are there or not, put together; all of them must hold. */
export class Conditions {
  private readonly parts: string[] = [];
  private readonly values: Record<string, SqlValue> = {};

  when<T>(value: T | undefined, sql: string, parameters: (value: T) => SqlParameters): this {
    if (value === undefined) return this;
    this.parts.push(sql);
    Object.assign(this.values, parameters(value));
    return this;
  }

  among(column: string, values: readonly SqlValue[] | undefined): this {
    if (values === undefined) return this;
    const part = among(column, values);
    this.parts.push(part.sql);
    Object.assign(this.values, part.parameters);
    return this;
  }

  always(sql: string): this {
    this.parts.push(sql);
    return this;
  }

  get where(): string {
    return this.parts.length === 0 ? '' : `WHERE ${this.parts.join(' AND ')}`;
  }

  get parameters(): SqlParameters {
    return this.values;
  }
}
