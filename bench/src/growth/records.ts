import { deepStrictEqual } from 'node:assert/strict';
import { newId } from '@action-platform/contracts/ids';
import { callOf } from '../scenarios.ts';
import { addStoredBytes, multiply, SMALL_PAYLOAD } from './multiply.ts';
import type { Side } from './pair.ts';
import type { GrowingCall, GrowingCalls } from './scenario.ts';

/** About how many Records of the Collection the calls use. */
const SAMPLED = 10_000;

/** Push, get and pages of a Collection with this number of Records. The platform writes the first; the others are its copies. */
export async function callsOfRecords(side: Side, count: number): Promise<GrowingCalls> {
  const { api, stored } = side;
  const collection_id = await api.newCollection();
  const push = { collection_id, payload: SMALL_PAYLOAD };
  const { record } = await api.call<{ record: { id: string } }>('record_store.push_record', {
    ...push,
    idempotency_key: crypto.randomUUID(),
  });
  const every = Math.ceil(count / SAMPLED);
  const sample = [record.id];
  const records = stored('record-store', 'records');
  const { bytes } = await multiply(records, { _id: record.id }, count - 1, (index) => {
    const _id = newId('record');
    if (index % every === 0) sample.push(_id);
    return { _id, write_id: crypto.randomUUID(), push_idempotency_key: crypto.randomUUID() };
  });
  await addStoredBytes(side, (count - 1) * bytes);

  const get = async (record_id: string) => {
    const reference = { collection_id, record_id };
    return (await api.call<{ record: object }>('record_store.get_record', reference)).record;
  };
  const last = sample.at(-1)!;
  deepStrictEqual(await get(last), { ...(await get(record.id)), id: last });

  const gets = sample.map((record_id) => ({ collection_id, record_id }));
  const pageAfter = (part: number): GrowingCall => {
    const position = sample.at(Math.floor(part * sample.length) - 1)!;
    const cursor = side.platform.cursorAt(`records ${api.workspace} ${collection_id} active`, position);
    return { requests: callOf(api, 'record_store.list_records', [{ collection_id, cursor }]) };
  };
  const keyed = { ...push, idempotency_key: '$unique' };
  return {
    push: { requests: callOf(api, 'record_store.push_record', [push]) },
    'keyed push': { requests: callOf(api, 'record_store.push_record', [keyed]) },
    get: { requests: callOf(api, 'record_store.get_record', gets) },
    'first page': { requests: callOf(api, 'record_store.list_records', [{ collection_id }]) },
    'a page in the middle': pageAfter(0.5),
    'a page at the end': pageAfter(1),
  };
}
