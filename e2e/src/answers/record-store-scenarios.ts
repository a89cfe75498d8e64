import { type Operation, setQuota } from '@action-platform/contracts';
import { again, changed, type Scenarios } from './scenario.ts';

const TOO_LARGE = { text: 'x'.repeat(300_000) };

/** The operation's new payload, under the name of its field. */
const withPayload = ({ id }: Operation, payload: unknown) =>
  id === 'record_store.patch_record' ? { patch: payload } : { payload };

export const recordStoreScenarios: Scenarios = {
  record_store_collection_not_found: (world, operation) =>
    changed(world, operation, { collection_id: 'col_none' }),
  record_store_collection_name_taken: (world, operation) =>
    changed(world, operation, { name: 'things', description: 'other' }),
  record_store_record_not_found: async (world, operation) => {
    if (operation.id !== 'record_store.push_record')
      return await changed(world, operation, { record_id: 'rec_none' });
    const key = { idempotency_key: world.unique('key') };
    await world.record({ deleted: true, ...key });
    return await changed(world, operation, key);
  },
  record_store_member_writes_disabled: async (world, operation) =>
    world.call(world.member.token, operation.id, await world.input(operation)),
  record_store_invalid_payload: (world, operation) => changed(world, operation, withPayload(operation, [])),
  record_store_payload_too_large: (world, operation) =>
    changed(world, operation, withPayload(operation, TOO_LARGE)),
  record_store_idempotency_conflict: (world, operation) => {
    const key = { idempotency_key: world.unique('key') };
    return again(world, operation, withPayload(operation, { other: 1 }), key);
  },
  record_store_stale_version: (world, operation) => changed(world, operation, { expected_version: 99 }),
  record_store_record_archived: async (world, operation) =>
    changed(world, operation, await world.record({ archived: true })),
  record_store_record_not_archived: async (world, operation) =>
    changed(world, operation, await world.record()),
  record_store_quota_exceeded: async (world, operation) => {
    const workspace = await world.operator.workspace('Full');
    const { token } = await world.person('owner', { workspace });
    const created = await world.call(token, 'record_store.create_collection', { name: 'full' });
    const collection_id = created.result.collection!.id;
    const pushed = await world.call(token, 'record_store.push_record', { collection_id, payload: {} });
    await world.operator.call(setQuota, { workspace, bytes: 3 });
    const reference = { collection_id, record_id: pushed.result.record!.id };
    const input = operation.id === 'record_store.push_record' ? { collection_id } : reference;
    return await world.call(token, operation.id, { ...input, ...withPayload(operation, { more: 1 }) });
  },
};
