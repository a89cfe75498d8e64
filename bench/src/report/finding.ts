/** Something that is demanded of the platform, and what was seen. */
export interface Demand {
  readonly what: string;
  readonly demanded: string;
  readonly seen: string;
  readonly isMet: boolean;
}

/** What came of a scenario. */
export interface Finding {
  readonly demands: readonly Demand[];
  /** What helps to judge them, a line each. */
  readonly notes: readonly string[];
  /** All that was measured. */
  readonly measured: object;
}
