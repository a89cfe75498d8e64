import { type Entry, entriesOf, type History, isFinal, payments } from '../history.ts';

const isDone = ({ outcome }: Pick<Entry, 'outcome'>) => outcome.is === 'done';

/**
 * An API without keys, or a tool, got one request of a payment at most, and an API with keys one key; an acknowledged payment was made, no
 * other one than clients asked for, some payments waited for an approval, and at least half of each kind were acknowledged.
 */
export function* checkPayments(history: Pick<History, 'entries' | 'paid'>): Generator<string> {
  const called = Map.groupBy(entriesOf(history, ...payments), ({ action }) => action.key);
  for (const key of history.paid.keys()) if (!called.has(key)) yield `${key}: no client asked for it`;
  for (const [key, calls] of called) {
    const isKeyed = calls[0]!.action.what === 'pay_keyed';
    const { requests, keys } = history.paid.get(key) ?? { requests: 0, keys: new Set() };
    if (isKeyed ? keys.size > 1 : requests > 1) yield `${key}: ${requests} requests with ${keys.size} keys`;
    if (isKeyed && keys.has('')) yield `${key}: without a key`;
    if (calls.some(isDone) && requests === 0) yield `${key}: acknowledged, but not paid`;
    if (isKeyed && !calls.some(isDone)) yield `${key}: not acknowledged`;
  }
  for (const [what, calls] of Map.groupBy(called.values(), ([call]) => call!.action.what)) {
    // A payment that only got 503 was never made.
    const known = calls.filter((each) =>
      each.some(({ outcome }) => outcome.is === 'unknown' || isFinal(outcome)),
    );
    const done = known.filter((each) => each.some(isDone)).length;
    if (done === 0 || done < known.length / 2)
      yield `${what}: ${done} of ${known.length} payments were acknowledged`;
  }
  const attempts = [...called.values()].flat().flatMap((call) => call.attempts);
  if (!attempts.some(({ approvalId }) => approvalId !== undefined)) yield 'no payment waited for an approval';
}
