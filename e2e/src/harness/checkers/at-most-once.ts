import {
  deletedRecords,
  type Entry,
  entriesOf,
  type History,
  type Observation,
  type Outcome,
} from '../history.ts';

type Write = ReturnType<typeof entriesOf<'push' | 'replace' | 'patch'>>[number];

/** A write, with all its attempts under one key. */
export interface KeyedWrite {
  readonly key: string;
  readonly tries: readonly Write[];
  /** The interval of its commit: from the start of the first attempt to the first acknowledgement. */
  readonly earliest: number;
  readonly latest: number;
}

/** The writes of a history by their keys. */
export function keyedWrites(history: History): Map<string, KeyedWrite> {
  const tries = Map.groupBy(entriesOf(history, 'push', 'replace', 'patch'), ({ action }) => action.key);
  const writes = tries.entries().map(([key, all]) => {
    const acknowledged = all.filter(({ outcome }) => outcome.is === 'done').map(({ endedAt }) => endedAt);
    const earliest = Math.min(...all.map(({ begunAt }) => begunAt));
    return [key, { key, tries: all, earliest, latest: Math.min(...acknowledged) }] as const;
  });
  return new Map(writes);
}

/** Every acknowledged write is stored once, as acknowledged and where it was pushed; unknown ones whole or not at all; refused ones not at all. */
export function* checkAtMostOnce(history: History): Generator<string> {
  const writes = keyedWrites(history);
  const deleted = deletedRecords(history);
  for (const [when, observation] of Object.entries({ before: history.before, after: history.after })) {
    const stored = storedByKey(observation);
    for (const [key, found] of stored) {
      if (!writes.has(key)) yield `${key}: no client wrote it, but ${found.join()} has it`;
      if (found.length > 1) yield `${key}: written more than once, ${found.join()}`;
    }
    for (const { key, tries } of writes.values()) {
      const outcomes = tries.map((entry) => (when === 'before' ? entry.outcome : entry.finally));
      yield* checkWrite(key, outcomes, stored.get(key)?.[0], deleted);
    }
  }
  yield* checkWhole(history);
}

function* checkWrite(
  key: string,
  outcomes: readonly Outcome[],
  stored: string | undefined,
  deleted: ReadonlySet<string>,
): Generator<string> {
  for (const outcome of outcomes) {
    if (outcome.is !== 'done') continue;
    const said = acknowledged(outcome);
    if (stored === undefined && deleted.has(outcome.result.record!)) continue;
    if (stored === undefined) yield `${key}: acknowledged as ${said}, but it is lost`;
    else if (said !== stored) yield `${key}: acknowledged as ${said}, but it is ${stored}`;
  }
  const refusals = outcomes.filter(({ is }) => is === 'refused');
  if (refusals.length === outcomes.length && stored !== undefined)
    yield `${key}: refused, but ${stored} has it`;
}

/** A Record is in the Collection of its push. A revision has all fields of its write and, for a patch, the unchanged fields of the previous revision. */
function* checkWhole(history: History): Generator<string> {
  const writes = keyedWrites(history);
  for (const { id, collection, revisions } of [...history.before.records, ...history.after.records]) {
    const [push] = writes.get(revisions[0]?.write ?? '')?.tries ?? [];
    if (push?.action.what === 'push' && push.action.collection !== collection)
      yield `${id}: pushed into ${push.action.collection}, but it is in ${collection}`;
    for (const [index, { version, write, base }] of revisions.entries()) {
      if (version !== index + 1) yield `${id}: version ${version} instead of ${index + 1}`;
      const isPatch = writes.get(write)?.tries.some(({ action }) => action.what === 'patch');
      const wanted = isPatch ? revisions[index - 1]?.base : write;
      if (base !== wanted) yield `${id}: version ${version} has ${base} instead of ${wanted}`;
    }
  }
}

/** The revision that the acknowledgement of a write names. */
function acknowledged({ result }: Extract<Entry['outcome'], { is: 'done' }>): string {
  return `${result.record}@${result.revisions![0]!.version}`;
}

/** The stored revisions of each write. */
function storedByKey({ records }: Observation): Map<string, string[]> {
  const stored = new Map<string, string[]>();
  for (const { id, revisions } of records)
    for (const { version, write } of revisions)
      stored.set(write, [...(stored.get(write) ?? []), `${id}@${version}`]);
  return stored;
}
