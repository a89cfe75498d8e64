import type { Connection, ToolResult } from './connections.ts';

type Arguments = Record<string, unknown>;

/**
 * Calls every tool of the platform with arguments that succeed, in an order that works.
 *
 * @param onCall receives each call and its result, which has the text of the service's answer.
 */
export async function callEveryTool(
  connection: Connection,
  onCall: (name: string, args: Arguments, result: ToolResult) => Promise<void>,
): Promise<void> {
  const call = async (name: string, args: Arguments): Promise<any> => {
    const result = await connection.call(name, args);
    await onCall(name, args, result);
    return JSON.parse(result.content[0]!.text!).result;
  };
  const keyed = (args: Arguments) => ({ ...args, idempotency_key: crypto.randomUUID() });
  const unique = `c${crypto.randomUUID().slice(0, 8)}`;
  const store = (name: string, args: Arguments) => call(`record_store__${name}`, args);

  await call('audit__count_entries', { step: 'day' });
  await call('audit__list_entries', { limit: 1 });
  await call('events__list_events', { limit: 1 });
  await call('knowledge__list_visible_files', { scope: 'all' });
  await call('procedures__create_draft', { slug: unique, title: 'Greet', description: '', markdown: '# Hi' });
  await call('procedures__list_drafts', {});
  await call('procedures__get_draft', { slug: unique });
  await call('mail__list_authorized_senders', {});
  await call('mail__send_email', keyed({ to: ['ada@example.com'], subject: 'Hello', body: 'Text' }));
  await call('mail__list_send_history', {});

  const { collection } = await store('create_collection', { name: unique });
  await store('list_collections', { limit: 1 });
  await store('get_usage', {});
  const collection_id = collection.id;
  const { record } = await store(
    'push_record',
    keyed({ collection_id, payload: { 'a.b': [1, null, 'é"\n'] } }),
  );
  const reference = { collection_id, record_id: record.id };
  await store('get_record', reference);
  await store('replace_record', keyed({ ...reference, payload: { a: 1 }, expected_version: 1 }));
  await store('patch_record', keyed({ ...reference, patch: { b: 2 } }));
  await store('list_records', { collection_id, limit: 1 });
  await store('get_record_history', { ...reference, limit: 2 });
  await store('archive_record', reference);
  await store('restore_record', reference);
  await store('archive_record', reference);
  await store('delete_record', reference);
}
