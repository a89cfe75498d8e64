import type { Row, Table } from './summary.ts';
import { escapeText } from './svg.ts';

const WIDTH = 860;
const LABELS = 170;
const VALUES = 190;
const BAR = 18;
const GAP = 6;
const HEADING = 34;
const FOOT = 24;

/**
 * Bars of throughput, a group for each load, with a line from the least to the greatest of the rounds. Floors are left
 * out: beside them all others would be too short to compare. Colours follow the reader's scheme.
 */
export function chart(tables: readonly Table[], about: string): string {
  const parts: string[] = [];
  let y = 0;
  for (const { rows, ...load } of tables) {
    const table = { ...load, rows: rows.filter(({ contender }) => !contender.startsWith('floor')) };
    parts.push(group(table, y));
    y += HEADING + table.rows.length * (BAR + GAP);
  }
  parts.push(`<text class="faint" x="0" y="${y + FOOT}">${escapeText(about)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + FOOT + 8}" font-family="system-ui, sans-serif" font-size="13" role="img">`,
    '<style>text{fill:#222}.faint{fill:#777}.other{fill:#b0bec5}.platform{fill:#1e88e5}.spread{stroke:#222}',
    '@media (prefers-color-scheme:dark){text{fill:#eee}.faint{fill:#999}.other{fill:#546e7a}.spread{stroke:#eee}}</style>',
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function group({ scenario, clients, rows }: Table, top: number): string {
  const most = Math.max(...rows.map(({ callsPerSecond }) => callsPerSecond.max));
  const scale = (WIDTH - LABELS - VALUES) / most;
  const heading = `${scenario}, ${clients} client${clients === 1 ? '' : 's'}`;
  return [
    `<text x="0" y="${top + 22}" font-weight="600">${escapeText(heading)}</text>`,
    ...rows.map((row, index) => bar(row, top + HEADING + index * (BAR + GAP), scale)),
  ].join('\n');
}

function bar({ contender, callsPerSecond, p99 }: Row, y: number, scale: number): string {
  const { median, min, max } = callsPerSecond;
  const at = (value: number) => (LABELS + value * scale).toFixed(1);
  const middle = y + BAR / 2;
  const baseline = y + BAR - 5;
  const kind = contender.startsWith('platform') ? 'platform' : 'other';
  return [
    `<text x="${LABELS - 8}" y="${baseline}" text-anchor="end">${escapeText(contender)}</text>`,
    `<rect class="${kind}" x="${LABELS}" y="${y}" width="${(median * scale).toFixed(1)}" height="${BAR}"/>`,
    `<line class="spread" x1="${at(min)}" y1="${middle}" x2="${at(max)}" y2="${middle}"/>`,
    `<text x="${Number(at(max)) + 6}" y="${baseline}">${median.toFixed(0)}/s <tspan class="faint">p99 ${p99.median.toFixed(1)} ms</tspan></text>`,
  ].join('\n');
}
