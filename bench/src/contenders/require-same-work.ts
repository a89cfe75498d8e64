import { deepStrictEqual } from 'node:assert/strict';
import { operationPath } from './api.ts';
import type { Contender } from './contender.ts';

interface WriteAnswer {
  readonly record: { readonly id: string; readonly version: number; readonly payload: object };
}

/**
 * Checks over HTTP that a contender does the work by which it is measured: a token without a valid signature is refused, a key
 * pushes once, another Workspace sees no Record, and a get returns the payload.
 *
 * @throws AssertionError that names the contender.
 */
export async function requireSameWork(contender: Contender): Promise<void> {
  const is = (found: unknown, expected: unknown, what: string) => {
    const [seen, wanted] = [JSON.stringify(found), JSON.stringify(expected)];
    deepStrictEqual(found, expected, `${contender.name}: ${what} is ${seen}, not ${wanted}`);
  };
  const api = await contender.workspace();
  const collection_id = await api.newCollection();
  const push = { collection_id, payload: { visits: 1 }, idempotency_key: 'once' };
  const [first, again] = await Promise.all([
    api.call<WriteAnswer>('record_store.push_record', push),
    api.call<WriteAnswer>('record_store.push_record', push),
  ]);
  is(again.record.id, first.record.id, 'the Record of a repeated push');
  const pushPath = operationPath('record_store.push_record');
  const other = await api.post(pushPath, { ...push, payload: { visits: 2 } });
  is(other.status, 400, 'the answer to a key with other input');

  const reference = { collection_id, record_id: first.record.id };
  const { record } = await api.call<WriteAnswer>('record_store.get_record', reference);
  is([record.version, record.payload], [1, push.payload], 'the Record');
  const getPath = operationPath('record_store.get_record');
  const outsider = await contender.workspace();
  is((await outsider.post(getPath, reference)).status, 400, 'the answer to another Workspace');
  const forged = api.token.replace(/.{20}$/, 'A'.repeat(20));
  is((await api.post(getPath, reference, forged)).status, 401, 'the answer to a forged token');
}
