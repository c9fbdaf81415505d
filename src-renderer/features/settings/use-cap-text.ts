import { useFormat } from '../../i18n/index.ts';
import type { Cap } from './caps.ts';

/** A cap as people read it. */
export function useCapText(): (cap: Pick<Cap, 'name' | 'value'>) => string {
  const format = useFormat();
  return ({ name, value }) => {
    if (name === 'callTimeoutS') return format.length(value * 1000);
    return name === 'budgetUsd' || name === 'perCallUsd' ? format.usd(value) : format.number(value);
  };
}
