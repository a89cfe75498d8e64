import type { Finding } from './finding.ts';

/** A finding for a terminal: a table of its demands, and its notes. */
export function findingText(name: string, { demands, notes }: Finding): string {
  const rows = demands.map(({ what, demanded, seen, isMet }) => [
    isMet ? 'PASS' : 'MISSED',
    what,
    demanded,
    seen,
  ]);
  const table = textTable([['', 'demand', 'demanded', 'seen'], ...rows]);
  return [`\n${name}`, ...table, ...notes.map((note) => `  ${note}`), ''].join('\n');
}

/** Lines of cells in columns, the first line their headings. */
export function textTable(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
