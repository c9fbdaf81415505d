/**
 * One step of the schema. Numbered from 1 without gaps, forward only, and never edited once released: a test pins
 * the SHA-256 of each.
 */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}
