import type { Answered } from '../workload/session.ts';

/** How the connector of an order takes repetitions: an API without keys, one with keys, or a tool of an MCP server. */
export const kinds = ['once', 'keyed', 'tool'] as const;
export type Kind = (typeof kinds)[number];

/** The requests about an order that reached an API. */
export interface Paid {
  /** The requests that it may have done something for: all but those that it answered with 429. */
  requests: number;
  readonly keys: Set<string>;
}

/** The calls about an order, with one key. */
export interface CalledOrder {
  readonly kind: Kind;
  readonly order: string;
  readonly answers: readonly Answered[];
}

/**
 * An API without keys, or a tool, got one request of an order at most, and an API with keys one key; an acknowledged order was paid, and no
 * other one than clients asked for.
 *
 * @param paid what reached the APIs, by kind and order.
 */
export function* checkPayments(
  called: readonly CalledOrder[],
  paid: ReadonlyMap<string, Paid>,
): Generator<string> {
  const asked = new Set(called.map(({ kind, order }) => `${kind} ${order}`));
  for (const place of paid.keys()) if (!asked.has(place)) yield `${place}: no client asked for it`;
  for (const { kind, order, answers } of called) {
    const place = `${kind} ${order}`;
    const { requests, keys } = paid.get(place) ?? { requests: 0, keys: new Set() };
    if (kind === 'keyed' ? keys.size > 1 : requests > 1)
      yield `${place}: ${requests} requests with ${keys.size} keys`;
    if (kind === 'keyed' && keys.has('')) yield `${place}: without a key`;
    const isDone = answers.some(({ outcome }) => outcome.is === 'done');
    if (isDone && requests === 0) yield `${place}: acknowledged, but not paid`;
    if (kind === 'keyed' && !isDone) yield `${place}: not acknowledged`;
  }
}
