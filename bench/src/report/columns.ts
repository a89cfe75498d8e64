/**
 * Lines of cells in columns, the first line their headings.
 *
 * @param pad pads each cell after the first to the width of its column: `padStart` for numbers.
 */
export function inColumns(
  lines: readonly (readonly string[])[],
  pad: 'padStart' | 'padEnd' = 'padEnd',
): string[] {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines.map(([first = '', ...others]) =>
    [first.padEnd(widths[0]!), ...others.map((cell, index) => cell[pad](widths[index + 1]!))]
      .join('  ')
      .trimEnd(),
  );
}
