import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, errorCatalogue } from '@action-platform/contracts/errors';
import { getRecords, pushRecords } from '@action-platform/contracts/operations';
import type { Json } from '@action-platform/testing/http';
import { type Action, type Attempt, isFinal, isUnknown, type Outcome } from '../history.ts';
import type { Fixture } from './fixture.ts';
import { payloadOf, readRecord } from './requests.ts';
import { type Answered, operation, REPEAT_MS, type Session } from './session.ts';

type Push = Extract<Action, { what: 'push' }>;
type Get = Extract<Action, { what: 'get' }>;

/**
 * Takes actions of one Collection in one call: pushes or gets. A history has each as an action of its own, so that checkers hold for it what
 * they hold for a single one.
 *
 * @param givesUp whether each item may stay unknown.
 * @returns the outcome of each, in order.
 */
export async function takeMany(
  actions: readonly Push[] | readonly Get[],
  fixture: Fixture,
  session: Session,
  givesUp: boolean,
): Promise<Answered[]> {
  const [first] = actions;
  return first!.what === 'push'
    ? await pushMany(actions as readonly Push[], fixture, session, givesUp)
    : await getMany(actions as readonly Get[], fixture, session, givesUp);
}

/** Pushes Records, and repeats the items that were not tried or whose outcome is unknown. */
async function pushMany(
  pushes: readonly Push[],
  { limited, places }: Fixture,
  session: Session,
  givesUp: boolean,
): Promise<Answered[]> {
  const { collection } = pushes[0]!;
  const token = collection === limited.collection ? { token: limited.token } : {};
  const attempts = new Map(pushes.map((push): [Push, Attempt[]] => [push, []]));
  const known = new Map<Push, Outcome>();
  for (;;) {
    const open = pushes.filter((push) => !isFinal(known.get(push)));
    const items = open.map(({ key }) => ({ payload: payloadOf(key), idempotency_key: key }));
    let outcomes: readonly Json[] = [];
    const request = operation(pushRecords.id, { collection_id: collection, items }, (result) => {
      outcomes = result.outcomes;
      return {};
    });
    const answered = await session.ask({ ...request, ...token }, givesUp);
    const last = answered.attempts.at(-1)!;
    for (const [place, push] of open.entries()) {
      const item = outcomes[place];
      attempts.get(push)!.push(...answered.attempts.slice(0, item === undefined ? undefined : -1));
      if (item === undefined) {
        known.set(push, answered.outcome);
        continue;
      }
      const { record, replayed, error } = item;
      const status = record ? last.status : errorCatalogue[error.code as ErrorCode].status;
      attempts.get(push)!.push({ ...last, status, isReplay: replayed === true, isItem: true });
      known.set(push, outcomeOf(push, item, status));
      if (record) places.set(record.id, collection);
    }
    if (givesUp || answered.outcome.is !== 'done' || known.values().every(isFinal))
      return pushes.map((push) => ({ outcome: known.get(push)!, attempts: attempts.get(push)! }));
    await delay(REPEAT_MS);
  }
}

/** The outcome of an item. */
function outcomeOf({ key }: Push, { record, error }: Json, status: number): Outcome {
  if (record) {
    const revisions = [{ version: record.version, write: key, base: key }];
    return { is: 'done', result: { record: record.id, revisions } };
  }
  return isUnknown(status) ? { is: 'unknown' } : { is: 'refused', code: error.code };
}

/** Gets Records: again those that a page had no room for. */
async function getMany(
  gets: readonly Get[],
  { places }: Fixture,
  session: Session,
  givesUp: boolean,
): Promise<Answered[]> {
  const collection_id = places.get(gets[0]!.record)!;
  const outcomes = new Map<string, Outcome>();
  const all: Attempt[] = [];
  for (let rest = gets.map(({ record }) => record); rest.length > 0; ) {
    const read = ({ records, missing, next }: Json) => {
      for (const record of records) outcomes.set(record.id, { is: 'done', result: readRecord({ record }) });
      for (const id of missing) outcomes.set(id, { is: 'refused', code: 'record_store_record_not_found' });
      rest = next;
      return {};
    };
    const input = { collection_id, record_ids: rest };
    const { outcome, attempts } = await session.ask(operation(getRecords.id, input, read), givesUp);
    all.push(...attempts);
    if (outcome.is === 'done') continue;
    for (const record of rest) outcomes.set(record, outcome);
    break;
  }
  return gets.map(({ record }) => ({ outcome: outcomes.get(record)!, attempts: all }));
}
