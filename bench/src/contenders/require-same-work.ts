import { deepStrictEqual } from 'node:assert/strict';
import { newCollection, newRecord } from '../scenarios/sample-data.ts';
import { Api } from './api.ts';
import type { Contender } from './contender.ts';

interface Answer {
  readonly record: { readonly id: string; readonly version: number; readonly payload: object };
}

/**
 * Checks over HTTP that a contender does the work it is measured by. A token without a valid signature is refused, a key
 * pushes once, a stale version is refused, and nothing of a history is lost.
 *
 * @throws AssertionError that names the contender.
 */
export async function requireSameWork({ name, target }: Contender): Promise<void> {
  if (target.driver !== 'http' || target.token === undefined) return;
  const is = (found: unknown, expected: unknown, what: string) =>
    deepStrictEqual(
      found,
      expected,
      `${name}: ${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
    );
  const api = new Api(target.origin, target.token);
  const collection_id = await newCollection(api);
  const push = { collection_id, payload: { visits: 1 }, idempotency_key: 'once' };

  const [first, again] = await Promise.all([
    api.call<Answer>('record_store.push_record', push),
    api.call<Answer>('record_store.push_record', push),
  ]);
  is(again.record.id, first.record.id, 'the Record of a repeated push');
  const other = await api.send('record_store.push_record', { ...push, payload: { visits: 2 } });
  is(other.status, 400, 'the answer to a key with other input');

  const reference = await newRecord(api, collection_id);
  const replace = { ...reference, payload: { visits: 3 } };
  await Promise.all([
    api.call('record_store.replace_record', replace),
    api.call('record_store.replace_record', replace),
  ]);
  const stale = await api.send('record_store.replace_record', { ...replace, expected_version: 1 });
  is(stale.status, 400, 'the answer to a stale version');
  const { record } = await api.call<Answer>('record_store.get_record', reference);
  is([record.version, record.payload], [3, replace.payload], 'what replaces leave');
  const { revisions } = await api.call<{ revisions: { version: number }[] }>(
    'record_store.get_record_history',
    reference,
  );
  is(
    revisions.map(({ version }) => version),
    [1, 2, 3],
    'the history',
  );
  const { records } = await api.call<{ records: unknown[] }>('record_store.list_records', { collection_id });
  is(records.length, 2, 'the number of Records');

  const forged = new Api(target.origin, target.token.replace(/.{20}$/, 'A'.repeat(20)));
  is((await forged.send('record_store.get_record', reference)).status, 401, 'the answer to a forged token');
}
