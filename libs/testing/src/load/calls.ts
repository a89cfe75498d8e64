import type { Agent } from 'node:http';
import { Caller, send } from '../http.ts';

/** An idempotent request. */
interface RepeatableCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** The outcome of a request: the status of its answer, or the code of a connection error. */
export type CallOutcome = number | string;

/** Makes a request over the connections of an agent. Resolves once the answer is complete; never rejects. */
export async function outcomeOf(
  url: string,
  agent: Agent,
  token: string,
  call: RepeatableCall,
): Promise<CallOutcome> {
  return await send(url, { ...call, token }, agent).then(
    ({ status }) => status,
    ({ code, message }: NodeJS.ErrnoException) => code ?? message,
  );
}

/** A repeated creation returns the existing draft. */
const DRAFT = { slug: 'availability', title: 'Availability', description: '', markdown: '# Availability' };

/** The endless calls of an ordinary caller, which reach every service; nearly half of them write. */
export async function* ordinaryCalls(
  url: string,
  token: string,
  caller: string,
): AsyncGenerator<RepeatableCall> {
  const owner = new Caller(url, token);
  const { collection } = await owner.execute('record_store.create_collection', { name: 'availability' });
  const collection_id = collection.id;
  const { record } = await owner.execute('record_store.push_record', { collection_id, payload: {} });
  const operation = (id: string, input: object): RepeatableCall => ({
    method: 'POST',
    path: `/api/v1/operations/${id}`,
    body: JSON.stringify(input),
  });
  for (let index = 0; ; index++) {
    const key = { idempotency_key: `${caller}-${index}` };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('record_store.get_record', { collection_id, record_id: record.id });
    yield { method: 'GET', path: '/api/v1/operations', body: '' };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('knowledge.list_visible_files', {});
    yield operation('mail.list_authorized_senders', {});
    yield operation('procedures.create_draft', DRAFT);
  }
}
