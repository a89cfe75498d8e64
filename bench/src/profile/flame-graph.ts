import { escapeText } from '../report/svg.ts';

/** A CPU profile as V8 writes it, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** The node of each sample, and the microseconds before it. */
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function, called by its parent, and the time spent in it and in what it called. */
interface Frame {
  readonly label: string;
  /** Where it is: a package or a file, which decides its colour. */
  readonly place: string;
  microseconds: number;
  readonly children: Map<string, Frame>;
}

const WIDTH = 1600;
const ROW = 17;
const NARROWEST = 0.5;

/** A flame graph: width is CPU time, callers stand below what they call. Hovering tells function, file and share. */
export function flameGraph(profile: CpuProfile, title: string): string {
  const root = framesOf(profile);
  const height = (depthOf(root) + 3) * ROW;
  const rows: string[] = [];
  draw(root, 0, 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="monospace" font-size="11">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/><text x="4" y="13">${escapeText(title)}: ${(root.microseconds / 1e6).toFixed(2)} s of CPU</text>`,
    ...rows,
    '</svg>\n',
  ].join('\n');

  function draw(frame: Frame, x: number, depth: number): void {
    const width = (frame.microseconds / root.microseconds) * WIDTH;
    if (width < NARROWEST) return;
    const y = height - (depth + 1) * ROW;
    const share = `${((frame.microseconds / root.microseconds) * 100).toFixed(1)} %`;
    const text = frame.label.slice(0, Math.max(0, Math.floor(width / 6.7) - 1));
    rows.push(
      `<g><title>${escapeText(`${frame.label} (${frame.place}): ${share}`)}</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}" fill="${colourOf(frame.place)}"/>` +
        `<text x="${(x + 2).toFixed(1)}" y="${y + 12}">${escapeText(text)}</text></g>`,
    );
    let from = x;
    for (const child of [...frame.children.values()].toSorted((a, b) => b.microseconds - a.microseconds)) {
      draw(child, from, depth + 1);
      from += (child.microseconds / root.microseconds) * WIDTH;
    }
  }
}

/** Adds the samples up, from the root to where each was taken; time in which nothing ran is left out. */
function framesOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const root: Frame = { label: 'all', place: '', microseconds: 0, children: new Map() };
  for (const [index, sample] of samples.entries()) {
    const microseconds = Math.max(0, timeDeltas[index + 1] ?? 0);
    if (byId.get(sample)?.callFrame.functionName === '(idle)') continue;
    const path = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) path.unshift(id);
    root.microseconds += microseconds;
    let frame = root;
    for (const id of path.slice(1)) {
      const { functionName, url, lineNumber } = byId.get(id)!.callFrame;
      const label = functionName || '(anonymous)';
      const key = `${label} ${url}:${lineNumber}`;
      const place = placeOf(url);
      const child = frame.children.get(key) ?? { label, place, microseconds: 0, children: new Map() };
      frame.children.set(key, child);
      child.microseconds += microseconds;
      frame = child;
    }
  }
  return root;
}

function depthOf({ children }: Frame): number {
  return 1 + Math.max(0, ...[...children.values()].map(depthOf));
}

function placeOf(url: string): string {
  const [, ofPackage] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return ofPackage ?? (url.split('/').slice(-4).join('/') || 'V8');
}

/** Own code is warm, packages are blue, Node.js green and V8 grey. */
function colourOf(place: string): string {
  if (place === '' || place === 'V8') return '#ccc';
  if (place.startsWith('node:')) return '#a5d6a7';
  return place.endsWith('.ts') ? '#ffab5e' : '#90caf9';
}
