/** A requirement on the platform, and the measured value. */
export interface Requirement {
  readonly what: string;
  readonly required: string;
  readonly seen: string;
  readonly isMet: boolean;
}

/** The result of a scenario. */
export interface Finding {
  readonly requirements: readonly Requirement[];
  /** Figures for judging them, a line each. */
  readonly notes: readonly string[];
  /** Every measurement. */
  readonly measured: object;
}
