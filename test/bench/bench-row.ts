/** One measured bar of `npm run bench`. Timings of shared machines are noisy, so most values are ratios. */
export interface BenchRow {
  /** Number of the bar, e.g. `P2`. */
  readonly bar: string;
  readonly what: string;
  readonly value: number;
  /** e.g. `×`, `ms`, `% CPU`. */
  readonly unit: string;
  /** The bar itself, as text. */
  readonly limit: string;
  /** Null when the row is only reported. */
  readonly ok: boolean | null;
  readonly note?: string;
}
