/** One place that looks like real personal data. The value itself never leaves the scanner. */
export interface DataClassHit {
  /** Name of the rule, e.g. `card-number`, `pan`, `deny-name`, or the project's own pattern name. */
  readonly rule: string;
  /** 1-based line and column in the scanned text. */
  readonly line: number;
  readonly column: number;
  /** Length of the value in characters. */
  readonly length: number;
}

export interface DataClassRules {
  readonly denyNames: readonly string[];
  /** Rule name → regular expression source. */
  readonly patterns: Readonly<Record<string, string>>;
}
