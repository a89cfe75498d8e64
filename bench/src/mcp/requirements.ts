import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import type { Measurement } from '../measure/rounds.ts';
import { type Spread, spread, type Table } from '../measure/summary.ts';

/** The least throughput of a tool, of that over HTTP, and the most CPU time of its call beside, in microseconds. */
const REQUIRED = { throughput: 0.9, cpuMicros: 60 };
/** Of a large result, each byte of which is escaped. */
const LARGE = { what: 'get-100kb', throughput: 0.8 };

/**
 * Requires of each table that the first contender, the tools, is nearly as fast as the second. Both figures are medians of the
 * comparisons round by round: a round that other work, or a platform that is not warm yet, made slow for one of them counts as one.
 */
export function faceRequirements(
  tables: readonly Table[],
  measurements: readonly Measurement[],
): Requirement[] {
  return tables.flatMap(({ what, rows: [mcp, http] }) => {
    const { firstIsFaster } = http!;
    const speed = (least: number) =>
      atLeast(what, least, firstIsFaster!.median, '× as fast', range(firstIsFaster!, 2));
    if (what === LARGE.what) return [speed(LARGE.throughput)];
    const rounds = (contender: string) =>
      measurements.filter((each) => each.what === what && each.contender === contender).map(cpuMicros);
    const ofHttp = rounds(http!.contender);
    const more = spread(rounds(mcp!.contender).map((micros, round) => micros - ofHttp[round]!));
    return [
      speed(REQUIRED.throughput),
      atMost(what, REQUIRED.cpuMicros, more.median, 'µs more CPU', range(more, 0)),
    ];
  });
}

/** CPU time of a call in all processes. */
function cpuMicros({ uses, load }: Measurement): number {
  const seconds = Object.values(uses).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  return (seconds / load.calls) * 1e6;
}

function range({ min, max }: Spread, digits: number): string {
  return `(${min.toFixed(digits)}–${max.toFixed(digits)})`;
}
