import { execute } from '@action-platform/testing/http';

/** Makes a Collection and pushes a Record into it, with the same key each time; answers as the last of its calls was answered. */
export async function push(demo: { base_url: string; owner: { token: string } }) {
  const call = (operation: string, input: object) =>
    execute(demo.base_url, demo.owner.token, operation, input);
  const created = await call('record_store.create_collection', { name: 'notes' });
  if (created.status !== 200) return created;
  const collection_id = created.json.result.collection.id;
  return await call('record_store.push_record', { collection_id, payload: { a: 1 }, idempotency_key: 'k' });
}
