import { inColumns } from './columns.ts';
import type { Row, Spread, Table } from './summary.ts';

const HEADINGS = [
  'contender',
  'calls/s',
  '(spread)',
  'platform ×',
  '(spread)',
  'p50 ms',
  'p99',
  'p99.9',
  'CPU s/1000',
  'trips/call',
  'syncs/call',
  'msgs in/out',
  'MB',
  'load %',
  'errors',
];

/** The tables for a terminal. "platform ×" says how many times the platform's throughput is this one's. */
export function textTables(tables: readonly Table[]): string {
  return tables.map(textTable).join('\n');
}

function textTable({ scenario, clients, rows }: Table): string {
  const lines = inColumns([HEADINGS, ...rows.map(cellsOf)], 'padStart');
  const notes = rows.flatMap(({ contender, firstError }) =>
    firstError === undefined ? [] : [`  ${contender}: ${firstError}`],
  );
  const cpu = rows.map((row) => `  CPU s/1000 of ${row.contender}: ${sharesOf(row)}`);
  return [`\n${scenario}, ${clients} client${clients === 1 ? '' : 's'}`, ...lines, ...cpu, ...notes, ''].join(
    '\n',
  );
}

function cellsOf(row: Row): string[] {
  return [
    row.contender,
    whole(row.callsPerSecond.median),
    range(row.callsPerSecond, whole),
    row.platformIsFaster === undefined ? '' : hundredths(row.platformIsFaster.median),
    row.platformIsFaster === undefined ? '' : range(row.platformIsFaster, hundredths),
    hundredths(row.p50.median),
    hundredths(row.p99.median),
    hundredths(row.p999.median),
    hundredths(row.cpuPerThousand),
    hundredths(row.roundTripsPerCall),
    hundredths(row.journalSyncsPerCall),
    `${hundredths(row.busInPerCall)}/${hundredths(row.busOutPerCall)}`,
    whole(row.memoryMB),
    whole(row.generatorPercent),
    String(row.errors),
  ];
}

function sharesOf({ cpuByProcess, memoryByProcess }: Row): string {
  return Object.entries(cpuByProcess)
    .map(([name, seconds]) => `${name} ${hundredths(seconds)} (${whole(memoryByProcess[name]!)} MB)`)
    .join(', ');
}

function range({ min, max }: Spread, format: (value: number) => string): string {
  return `${format(min)}–${format(max)}`;
}

const whole = (value: number) => value.toFixed(0);
const hundredths = (value: number) => value.toFixed(2);
