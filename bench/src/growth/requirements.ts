import { atLeast, atMost, type Requirement } from '../measure/requirement.ts';
import type { Table } from '../measure/summary.ts';

const REQUIRED = { throughput: 0.8, memory: 1.5 };
/** mongod caches the stored data. */
const CACHE = 'mongod';

/** Requires of each table that the first platform, the grown one, is nearly as fast as the small one, and of all its memory. */
export function growthRequirements(tables: readonly Table[]): Requirement[] {
  const speed = tables.map(({ what, rows }) => {
    const { median, min, max } = rows[1]!.firstIsFaster!;
    const spread = `(${min.toFixed(2)}–${max.toFixed(2)})`;
    return atLeast(what, REQUIRED.throughput, median, '× as fast', spread);
  });
  const failed = tables.flatMap(({ rows }) => rows.map((row) => row.failed));
  return [...speed, atMost('failed calls', 0, Math.max(...failed), ''), memoryRequirement(tables)];
}

/** Compares the peak of each process. V8 decides when to return memory, so the same process varies by a third. */
function memoryRequirement(tables: readonly Table[]): Requirement {
  const most = (row: 0 | 1, process: string) =>
    Math.max(...tables.map(({ rows }) => rows[row]!.peakMB[process]!));
  const names = Object.keys(tables[0]!.rows[0]!.peakMB).filter((name) => name !== CACHE);
  const ratios = names.map((name) => ({ name, ratio: most(0, name) / most(1, name) }));
  const { name, ratio } = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]!;
  const detail = `(${name}, ${most(0, name).toFixed(0)} MB)`;
  return atMost('memory of every process', REQUIRED.memory, ratio, '× that of the small one', detail);
}
