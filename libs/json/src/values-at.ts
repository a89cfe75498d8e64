import { type JsonNode, textOf } from './scanner/json-tree.ts';
import { MAX_DEPTH, scanJson } from './scanner/scan-json.ts';

/** The steps of a JSON Pointer (RFC 6901), unescaped; `*` stands for each item of an array. */
export type Steps = readonly string[];

/** An index of an array (RFC 6901, section 4). */
const INDEX = /^(0|[1-9]\d*)$/;

/**
 * The values at some places of a JSON text, as their texts: numbers keep every digit. A place that is absent, or lies below a value of
 * another kind, is undefined. The items of an absent or empty array are no places.
 *
 * @param text one JSON value that a reader has accepted.
 */
export function valuesAt(text: string, places: readonly Steps[]): (string | undefined)[][] {
  const recordDepth = Math.max(0, ...places.map(({ length }) => length));
  const root = scanJson(text, { maxDepth: MAX_DEPTH, recordDepth });
  return places.map((steps) => [...nodesAt(root, steps)].map((node) => node && textOf(text, node)));
}

function* nodesAt(node: JsonNode | undefined, steps: Steps): Generator<JsonNode | undefined> {
  const [step, ...deeper] = steps;
  if (step === undefined) yield node;
  else if (node === undefined) yield* steps.includes('*') ? [] : [undefined];
  else if (step === '*' && node.kind === 'array') for (const item of node.items) yield* nodesAt(item, deeper);
  else if (step !== '*' && (node.kind === 'object' || node.kind === 'array'))
    yield* nodesAt(childOf(node, step), deeper);
  else yield undefined;
}

function childOf(node: Extract<JsonNode, { kind: 'object' | 'array' }>, step: string): JsonNode | undefined {
  if (node.kind === 'array') return INDEX.test(step) ? node.items[Number(step)] : undefined;
  return node.members.find(({ name }) => name === step)?.value;
}
