import type { PolicyView } from '../../../src-shared/api/settings.ts';

export type Cap = PolicyView['defaults'][number];
export type CapName = Cap['name'];

/** What is refused as a value before the hub has to. */
const WHOLE: Readonly<Record<CapName, boolean>> = {
  budgetUsd: false,
  perCallUsd: false,
  callsPerDay: true,
  callTimeoutS: true,
  maxQuestions: true,
  maxAttempts: true,
};
const LEAST: Readonly<Record<CapName, number>> = {
  budgetUsd: 0,
  perCallUsd: 0,
  callsPerDay: 0,
  callTimeoutS: 1,
  maxQuestions: 0,
  maxAttempts: 1,
};

export const stepOf = (name: CapName): string => (WHOLE[name] ? '1' : '0.01');
export const leastOf = (name: CapName): number => LEAST[name];

/** What was typed as the value of a cap, with a comma or a point; null when it cannot be one. */
export function capValue(name: CapName, typed: string): number | null {
  const text = typed.trim().replace(',', '.');
  if (!/^\d+(\.\d+)?$/.test(text)) return null;
  const value = Number(text);
  if (value < LEAST[name] || (WHOLE[name] && !Number.isInteger(value))) return null;
  return value;
}
