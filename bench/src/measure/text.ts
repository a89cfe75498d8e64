import { inColumns } from './columns.ts';
import type { Row, Spread, Table } from './summary.ts';

const HEADINGS = [
  ...['contender', 'calls/s', '(spread)', 'first ×', '(spread)', 'p50 ms', 'p99 ms', 'CPU µs', 'MB'],
  ...['trips', 'syncs', 'load %', 'failed'],
];

/** A table for a terminal. "first ×" says how many times the throughput of the first contender is this one's. */
export function tableText({ what, clients, rows }: Table): string {
  const shares = rows.map((row) => `  ${row.contender}: ${sharesText(row)}`);
  const failures = rows.flatMap(({ contender, firstFailure }) =>
    firstFailure === undefined ? [] : [`  ${contender}: ${firstFailure}`],
  );
  const table = inColumns([HEADINGS, ...rows.map(cellsOf)]);
  return ['', `${what}, ${clients} clients`, ...table, ...shares, ...failures].join('\n');
}

function cellsOf(row: Row): string[] {
  const total = (values: object) => Object.values(values).reduce((sum, value) => sum + value, 0);
  return [
    row.contender,
    ...spreadCells(row.callsPerSecond, whole),
    ...(row.firstIsFaster === undefined ? ['', ''] : spreadCells(row.firstIsFaster, hundredths)),
    ...[row.p50, row.p99].map(hundredths),
    ...[total(row.cpuMicros), total(row.peakMB)].map(whole),
    ...[row.roundTripsPerCall, row.journalSyncsPerCall].map(hundredths),
    ...[row.generatorPercent, row.failed].map(whole),
  ];
}

function spreadCells({ median, min, max }: Spread, format: (value: number) => string): string[] {
  return [format(median), `${format(min)}–${format(max)}`];
}

function sharesText({ cpuMicros, peakMB }: Row): string {
  const shares = Object.entries(cpuMicros).map(([name, micros]) => {
    return `${name} ${whole(micros)} µs (${whole(peakMB[name]!)} MB)`;
  });
  return shares.join(', ');
}

const whole = (value: number) => value.toFixed(0);
const hundredths = (value: number) => value.toFixed(2);
