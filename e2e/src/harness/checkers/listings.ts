import { deletedRecords, entriesOf, type History } from '../history.ts';
import { keyedWrites } from './at-most-once.ts';

/** A listing has every Record that existed when it began, once, and none that did not exist when it ended. */
export function* checkListings(history: History): Generator<string> {
  const writes = keyedWrites(history);
  const stored = Map.groupBy(history.after.records, ({ collection }) => collection);
  const deleted = deletedRecords(history);
  for (const { action, begunAt, endedAt, outcome } of entriesOf(history, 'list')) {
    if (outcome.is !== 'done') continue;
    const { collection } = action;
    const listed = new Set(outcome.result.records);
    if (listed.size < outcome.result.records!.length) yield `${collection}: a listing has a Record twice`;
    const all = stored.get(collection) ?? [];
    for (const { id, revisions } of all) {
      const push = writes.get(revisions[0]!.write);
      if (push && push.latest < begunAt && !listed.has(id)) yield `${collection}: a listing misses ${id}`;
      if (push && push.earliest > endedAt && listed.has(id))
        yield `${collection}: a listing has ${id} before it was pushed`;
    }
    for (const id of listed.difference(deleted.union(new Set(all.map(({ id }) => id)))))
      yield `${collection}: a listing has ${id}, which is not stored`;
  }
}
