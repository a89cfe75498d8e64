import type { Received } from '@action-platform/testing';
import { entriesOf, type History } from '../history.ts';

const keyOf = ({ headers }: Received) => headers['idempotency-key']!;
const orderOf = ({ body }: Received) => (JSON.parse(body) as { order: string }).order;

/**
 * At an endpoint that honours keys each key of a client has one effect, the acknowledged one, and one event; and no request arrives once
 * its outcome was acknowledged.
 */
export function* checkRefunds(history: History): Generator<string> {
  const { requests, made } = history.refunds;
  const requestsOf = Map.groupBy(requests, orderOf);
  const asked = Map.groupBy(entriesOf(history, 'refund'), ({ action }) => action.key);
  const events = history.readers.flatMap((reader) => reader.events);
  const published = Map.groupBy(events, ({ data }) => data.execution_id);
  for (const order of requestsOf.keys()) if (!asked.has(order)) yield `${order}: no client asked for it`;
  for (const [order, calls] of asked) {
    const sent = requestsOf.get(order) ?? [];
    const keys = new Set(sent.map(keyOf));
    if (keys.size > 1) yield `${order}: sent with ${keys.size} keys`;
    const [key = ''] = keys;
    const done = calls.filter(({ finally: outcome }) => outcome.is === 'done');
    for (const { finally: outcome } of done)
      if (outcome.is === 'done' && outcome.result.made !== made.get(key))
        yield `${order}: acknowledged as ${outcome.result.made}, but it is ${made.get(key)}`;
    const firstAt = Math.min(
      ...calls.filter(({ outcome }) => outcome.is === 'done').map(({ endedAt }) => endedAt),
    );
    const late = sent.filter(({ at }) => at > firstAt);
    if (late.length > 0) yield `${order}: ${late.length} requests arrived after its outcome was acknowledged`;
    const ids = new Set(published.get(key)?.map(({ id }) => id));
    if (done.length > 0 && ids.size !== 1) yield `${order}: ${ids.size} events`;
  }
}
