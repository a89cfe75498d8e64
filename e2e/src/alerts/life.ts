/** Makes a request and resolves with its answer; rejects when the platform did not do what was asked. */
export type Ask = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  grant?: Granted,
) => Promise<Answer>;

/** A grant in the place of a session. */
interface Granted {
  readonly secret: string;
  /** The name of the run of a job that this is a call of. */
  readonly run?: string;
}

/** What is read of answers. */
interface Answer {
  readonly result: {
    readonly collection?: { readonly id: string };
    readonly record?: { readonly id: string };
    readonly senders?: readonly { readonly sender_id: string }[];
  };
  readonly secret: string;
  readonly grant: { readonly id: string };
}

const HOUR_MS = 3_600_000;
/** One run of a job that calls as often as it likes. */
const CADENCE = { invocations: 1, periodSeconds: 86_400 };

/**
 * The life of a Record, and all else that there is to call: every operation once at least, discovery, and both kinds of grants.
 *
 * @param name of whoever does it: they come back to what is theirs
 */
export async function live(ask: Ask, name: string): Promise<void> {
  const run = (id: string, input: object, granted?: Granted) =>
    ask('POST', `operations/${id}`, input, granted);
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();

  await ask('GET', 'operations');
  const { collection } = (await run('record_store.create_collection', { name })).result;
  const collection_id = collection!.id;
  const { record } = (await run('record_store.push_record', { collection_id, payload: { n: 1 } })).result;
  const reference = { collection_id, record_id: record!.id };
  await run('record_store.replace_record', { ...reference, payload: { n: 2 } });
  await run('record_store.patch_record', { ...reference, patch: { m: 3 } });
  await run('record_store.get_record', reference);
  await run('record_store.get_record_history', reference);
  await run('record_store.list_records', { collection_id, limit: 5 });
  await run('record_store.list_collections', { limit: 5 });
  await run('knowledge.list_visible_files', {});
  await run('procedures.create_draft', { slug: name, title: name, description: '', markdown: name });
  const { senders } = (await run('mail.list_authorized_senders', {})).result;
  await run('mail.send_email', { to: ['somebody@example.com'], subject: name, body: name });
  await run('mail.list_send_history', {});

  const { grant, secret } = await ask('POST', 'routine-grants', {
    name,
    operations: ['record_store.push_record', 'mail.list_send_history', 'knowledge.list_visible_files'],
    data: {
      collectionIds: [collection_id],
      senderIds: senders!.map(({ sender_id }) => sender_id),
      fileScopes: ['company'],
    },
    outputDefinition: 'report',
    maximumCadence: CADENCE,
    expiresAt,
  });
  const job = { secret, run: name };
  await run('record_store.push_record', { collection_id, payload: { n: 4 } }, job);
  await run('mail.list_send_history', {}, job);
  await run('knowledge.list_visible_files', {}, job);
  await ask('DELETE', `routine-grants/${grant.id}`);
  const operationGrant = await ask('POST', 'operation-grants', {
    operationScope: 'record_store.get_record',
    expiresAt,
  });
  await run('record_store.get_record', reference, { secret: operationGrant.secret });
  await ask('GET', 'operation-grants');
  await ask('DELETE', `operation-grants/${operationGrant.grant.id}`);

  await run('record_store.archive_record', reference);
  await run('record_store.restore_record', reference);
  await run('record_store.archive_record', reference);
  await run('record_store.delete_record', reference);
}
