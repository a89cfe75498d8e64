import { setQuota } from '@action-platform/contracts/calls';
import {
  createCollection,
  type Operation,
  patchRecord,
  pushRecord,
  pushRecords,
} from '@action-platform/contracts/operations';

import { withItem } from './fixture.ts';
import { again, changed, type Scenarios } from './scenario.ts';

const TOO_LARGE = { text: 'x'.repeat(300_000) };

const isMany = ({ id }: Operation) => id === pushRecords.id;

/** The operation's new payload, under the name of its field, and of an item with this key. */
function withPayload(operation: Operation, payload: unknown, key: string = crypto.randomUUID()): object {
  if (isMany(operation)) return withItem(payload, key);
  return operation.id === patchRecord.id ? { patch: payload } : { payload };
}

/** The key of a push, in the place where the operation takes it. */
const withKey = (operation: Operation, idempotency_key: string) =>
  isMany(operation) ? withItem({}, idempotency_key) : { idempotency_key };

export const recordStoreScenarios: Scenarios = {
  record_store_collection_not_found: (fixture, operation) =>
    changed(fixture, operation, { collection_id: 'col_none' }),
  record_store_collection_name_taken: async (fixture, operation) => {
    const name = fixture.unique('name');
    await fixture.call(fixture.owner.token, createCollection.id, { name });
    return await changed(fixture, operation, { name });
  },
  record_store_record_not_found: async (fixture, operation) => {
    if (operation.id !== pushRecord.id && !isMany(operation))
      return await changed(fixture, operation, { record_id: 'rec_none' });
    const idempotency_key = fixture.unique('key');
    await fixture.record('deleted', { idempotency_key });
    return await changed(fixture, operation, {
      ...withKey(operation, idempotency_key),
      ...withPayload(operation, {}, idempotency_key),
    });
  },
  record_store_member_writes_disabled: async (fixture, operation) =>
    fixture.call(fixture.member.token, operation.id, await fixture.input(operation)),
  record_store_invalid_payload: (fixture, operation) =>
    changed(fixture, operation, withPayload(operation, [])),
  record_store_payload_too_large: (fixture, operation) =>
    changed(fixture, operation, withPayload(operation, TOO_LARGE)),
  record_store_idempotency_conflict: (fixture, operation) => {
    const key = fixture.unique('key');
    return again(fixture, operation, withPayload(operation, { other: 1 }, key), withKey(operation, key));
  },
  record_store_stale_version: (fixture, operation) => changed(fixture, operation, { expected_version: 99 }),
  record_store_record_archived: async (fixture, operation) =>
    changed(fixture, operation, await fixture.record('archived')),
  record_store_record_not_archived: async (fixture, operation) =>
    changed(fixture, operation, await fixture.record()),
  record_store_quota_exceeded: async (fixture, operation) => {
    const workspace = await fixture.operator.workspace('Full');
    const { token } = await fixture.person('owner', { workspace });
    const created = await fixture.call(token, createCollection.id, { name: 'full' });
    const collection_id = created.result.collection!.id;
    const pushed = await fixture.call(token, 'record_store.push_record', { collection_id, payload: {} });
    await fixture.operator.call(setQuota, { workspace, bytes: 3 });
    const reference = { collection_id, record_id: pushed.result.record!.id };
    const input = operation.id === pushRecord.id || isMany(operation) ? { collection_id } : reference;
    return await fixture.call(token, operation.id, { ...input, ...withPayload(operation, { more: 1 }) });
  },
};
