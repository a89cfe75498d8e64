import { inColumns } from './columns.ts';
import type { Finding } from './finding.ts';

/** A finding for a terminal: a table of its requirements, and its notes. */
export function findingText(name: string, { requirements, notes }: Finding): string {
  const rows = requirements.map(({ what, required, seen, isMet }) => [
    isMet ? 'PASS' : 'MISSED',
    what,
    required,
    seen,
  ]);
  const table = inColumns([['', 'requirement', 'required', 'seen'], ...rows]);
  return [`\n${name}`, ...table, ...notes.map((note) => `  ${note}`), ''].join('\n');
}
