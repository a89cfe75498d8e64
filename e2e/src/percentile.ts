/** A percentile of numbers. @throws Error without any, because a comparison with NaN requires nothing */
export function percentile(percent: number, values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no sample to take a percentile of.');
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]!;
}
