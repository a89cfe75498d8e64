import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import type { Row, Table } from '../measure/summary.ts';

/** The least throughput of a tool, of that over HTTP, and the most CPU time of its call beside, in microseconds. */
const REQUIRED = { throughput: 0.9, cpuMicros: 60 };
/** Of a large result, each byte of which is escaped. */
const LARGE = { what: 'get-100kb', throughput: 0.8 };

/** Requires of each table that the first contender, the tools, is nearly as fast as the second. */
export function faceRequirements(tables: readonly Table[]): Requirement[] {
  return tables.flatMap(({ what, rows: [mcp, http] }) => {
    const { median, min, max } = http!.firstIsFaster!;
    const spread = `(${min.toFixed(2)}–${max.toFixed(2)})`;
    const speed = (least: number) => atLeast(what, least, median, '× as fast', spread);
    if (what === LARGE.what) return [speed(LARGE.throughput)];
    const more = cpuMicros(mcp!) - cpuMicros(http!);
    return [speed(REQUIRED.throughput), atMost(what, REQUIRED.cpuMicros, more, 'µs more CPU')];
  });
}

function cpuMicros({ cpuMicros }: Row): number {
  return Object.values(cpuMicros).reduce((sum, value) => sum + value, 0);
}
