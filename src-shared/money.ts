import type { Branded } from './ids.ts';

/** Millionths of a US dollar, always a whole number. */
export type MicroUsd = Branded<number, 'MicroUsd'>;

export const NO_MONEY = 0 as MicroUsd;
/** Below one cent nothing is started (12-engine, Money). */
export const LEAST_START_MICRO_USD = 10_000 as MicroUsd;

export const microUsd = (value: number): MicroUsd => Math.round(value) as MicroUsd;
/** Rounded to the nearest micro-dollar; the CLI reports dollars as binary fractions. */
export const microUsdFromUsd = (usd: number): MicroUsd => Math.round(usd * 1_000_000) as MicroUsd;
/** A number in dollars, as JSON answers print money. */
export const usdFromMicroUsd = (value: MicroUsd): number => value / 1_000_000;
/** Dollars with at least two and at most six decimals, never more than the amount; for `--max-budget-usd`. */
export const formatUsdExactly = (value: MicroUsd): string => {
  const text = (value / 1_000_000).toFixed(6);
  return text.replace(/0{1,4}$/, '');
};

export const addMoney = (...amounts: readonly MicroUsd[]): MicroUsd =>
  amounts.reduce<number>((sum, amount) => sum + amount, 0) as MicroUsd;
export const leastMoney = (...amounts: readonly MicroUsd[]): MicroUsd => Math.min(...amounts) as MicroUsd;
export const moneyLeft = (limit: MicroUsd, ...spent: readonly MicroUsd[]): MicroUsd =>
  Math.max(0, limit - addMoney(...spent)) as MicroUsd;
