import { deletedRecords, entriesOf, type History, type Revision } from '../history.ts';
import { keyedWrites } from './at-most-once.ts';

/** The versions of a Record follow real time, and every reader sees a version that was current during the read. */
export function* checkOrder(history: History): Generator<string> {
  const writes = keyedWrites(history);
  const stored = new Map(history.after.records.map(({ id, revisions }) => [id, revisions]));
  const windowOf = ({ write }: Revision) => writes.get(write) ?? { earliest: -Infinity, latest: Infinity };
  for (const [id, revisions] of stored) {
    let latestBeginning = -Infinity;
    for (const revision of revisions) {
      const { earliest, latest } = windowOf(revision);
      if (latest < latestBeginning)
        yield `${id}: version ${revision.version} was acknowledged before the request of an earlier one`;
      latestBeginning = Math.max(latestBeginning, earliest);
    }
  }
  yield* checkReaders(history, stored, windowOf);
  yield* checkExpected(history, stored, windowOf);
}

type Windows = (revision: Revision) => { readonly earliest: number; readonly latest: number };
type Stored = ReadonlyMap<string, readonly Revision[]>;

function* checkReaders(history: History, stored: Stored, windowOf: Windows): Generator<string> {
  const reads = entriesOf(history, 'get', 'history').filter(({ outcome }) => outcome.is === 'done');
  /** The reads of a Record, in the order in which they ended. */
  const seen = Map.groupBy(
    reads.toSorted((one, other) => one.endedAt - other.endedAt),
    ({ action }) => action.record,
  );
  const deleted = deletedRecords(history);
  for (const [id, readers] of seen) {
    if (deleted.has(id)) continue;
    const revisions = stored.get(id) ?? [];
    for (const [index, { action, begunAt, endedAt, outcome }] of readers.entries()) {
      const read = (outcome.is === 'done' && outcome.result.revisions) || [];
      const last = read.at(-1)?.version ?? 0;
      const wanted = action.what === 'get' ? revisions.slice(last - 1, last) : revisions.slice(0, last);
      if (JSON.stringify(read) !== JSON.stringify(wanted))
        yield `${id}: ${action.what} saw what is not stored at version ${last}`;
      const missed = revisions.find(
        (revision) => revision.version > last && windowOf(revision).latest < begunAt,
      );
      if (missed) yield `${id}: ${action.what} saw version ${last} after ${missed.version} was acknowledged`;
      const early = read.at(-1);
      if (early && windowOf(early).earliest > endedAt)
        yield `${id}: ${action.what} saw version ${last} before a client requested it`;
      const earlier = readers
        .slice(0, index)
        .find((other) => other.endedAt < begunAt && lastOf(other) > last);
      if (earlier)
        yield `${id}: ${action.what} saw version ${last} after another had seen ${lastOf(earlier)}`;
    }
  }
}

function lastOf({ outcome }: { readonly outcome: History['entries'][number]['outcome'] }): number {
  return (outcome.is === 'done' && outcome.result.revisions?.at(-1)?.version) || 0;
}

/** One write wins per `expected_version`, and a write is refused as stale only after the win. */
function* checkExpected(history: History, stored: Stored, windowOf: Windows): Generator<string> {
  const deleted = deletedRecords(history);
  for (const { action, finally: outcome, settled, ...entry } of entriesOf(history, 'replace', 'patch')) {
    const { record, expected, key } = action;
    // A repeated write was refused at the end of the run.
    const endedAt = settled === undefined ? entry.endedAt : Number.POSITIVE_INFINITY;
    if (expected === undefined || deleted.has(record)) continue;
    if (outcome.is === 'done' && lastOf({ outcome }) !== expected + 1)
      yield `${key}: expected version ${expected} of ${record}, and made ${lastOf({ outcome })}`;
    if (outcome.is !== 'refused' || outcome.code !== 'record_store_stale_version') continue;
    const winner = stored.get(record)?.[expected];
    if (winner === undefined || windowOf(winner).earliest > endedAt)
      yield `${key}: refused as stale, but version ${expected} of ${record} was the current one`;
  }
}
