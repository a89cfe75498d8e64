import { inColumns } from './columns.ts';
import type { Finding } from './finding.ts';

/** A finding for a terminal: a table of its demands, and its notes. */
export function findingText(name: string, { demands, notes }: Finding): string {
  const rows = demands.map(({ what, demanded, seen, isMet }) => [
    isMet ? 'PASS' : 'MISSED',
    what,
    demanded,
    seen,
  ]);
  const table = inColumns([['', 'demand', 'demanded', 'seen'], ...rows]);
  return [`\n${name}`, ...table, ...notes.map((note) => `  ${note}`), ''].join('\n');
}
