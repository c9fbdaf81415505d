import type { Branded } from './ids.ts';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Branded<number, 'EpochMs'>;
/** A length of time in milliseconds. */
export type Millis = Branded<number, 'Millis'>;
/** A calendar day in the hub's zone, `YYYY-MM-DD`. */
export type LocalDay = Branded<string, 'LocalDay'>;

export const epochMs = (value: number): EpochMs => value as EpochMs;
export const millis = (value: number): Millis => value as Millis;
export const seconds = (value: number): Millis => (value * 1000) as Millis;
export const minutes = (value: number): Millis => (value * 60_000) as Millis;

/** ISO 8601 in UTC with milliseconds, as every JSON answer prints times. */
export const isoTime = (at: EpochMs): string => new Date(at).toISOString();
export const isoTimeOrNull = (at: EpochMs | null): string | null => (at === null ? null : isoTime(at));

/** Whole and fractional seconds between two moments, never negative (a clock may go back). */
export const secondsBetween = (from: EpochMs, to: EpochMs): number => Math.max(0, to - from) / 1000;
