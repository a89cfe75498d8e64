/**
 * What callers are promised, over 30 days. What is missed of it is the budget; alerts look at how fast it is spent (Google,
 * The Site Reliability Workbook, chapter 5, "Multiwindow, Multi-Burn-Rate Alerts").
 */
export const objectives = {
  /** Which part of all requests is not answered with a failure of the platform's (5xx), and not turned away. */
  availability: 0.999,
  /** Which part of the operations that are answered takes no longer than `fastSeconds`. */
  latency: 0.99,
  /** One of the bounds of the histogram. */
  fastSeconds: 0.25,
} as const;

/** How much faster than evenly over 30 days a budget is spent, in a long window and, so that an alert ends soon, in a short one. */
interface Burn {
  readonly rate: number;
  readonly long: Window;
  readonly short: Window;
}

export const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d'] as const;
type Window = (typeof windows)[number];

/** Somebody is woken up: at this rate the budget is gone within two days, or five. */
export const fastBurns: readonly Burn[] = [
  { rate: 14.4, long: '1h', short: '5m' },
  { rate: 6, long: '6h', short: '30m' },
];

/** Somebody looks at it by day: within ten days, or thirty. */
export const slowBurns: readonly Burn[] = [
  { rate: 3, long: '1d', short: '2h' },
  { rate: 1, long: '3d', short: '6h' },
];
