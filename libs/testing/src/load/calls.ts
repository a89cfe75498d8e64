import http, { type Agent } from 'node:http';
import https from 'node:https';

/** A caller: a Member with a session. */
export interface Caller {
  readonly owner: { readonly token: string };
}

/** An idempotent request. */
interface RepeatableCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** The outcome of a request: the status of its answer, or the code of a connection error. */
export type CallOutcome = number | string;

/** Makes a request over the connections of an agent. Resolves once the answer is complete; never rejects. */
export function send(
  url: string,
  agent: Agent,
  token: string,
  { method, path, body }: RepeatableCall,
): Promise<CallOutcome> {
  const { promise, resolve } = Promise.withResolvers<CallOutcome>();
  const fail = ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
    response.once('error', fail).once('end', () => resolve(response.statusCode!));
    response.resume();
  });
  sent.once('error', fail);
  sent.end(body);
  return promise;
}

/** A repeated creation returns the existing Collection. */
const DRAFT = { slug: 'availability', title: 'Availability', description: '', markdown: '# Availability' };

/** The endless calls of an ordinary caller: they reach every service, and nearly half of them write. */
export async function* ordinaryCalls(
  url: string,
  { owner: { token } }: Caller,
  caller: string,
): AsyncGenerator<RepeatableCall> {
  const execute = async (operation: string, input: object) => {
    const response = await fetch(`${url}/api/v1/operations/${operation}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(input),
    });
    return ((await response.json()) as { result: Record<string, { id: string }> }).result;
  };
  const { collection } = await execute('record_store.create_collection', { name: 'availability' });
  const collection_id = collection!.id;
  const { record } = await execute('record_store.push_record', { collection_id, payload: {} });
  const operation = (id: string, input: object): RepeatableCall => ({
    method: 'POST',
    path: `/api/v1/operations/${id}`,
    body: JSON.stringify(input),
  });
  for (let index = 0; ; index++) {
    const key = { idempotency_key: `${caller}-${index}` };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('record_store.get_record', { collection_id, record_id: record!.id });
    yield { method: 'GET', path: '/api/v1/operations', body: '' };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('knowledge.list_visible_files', {});
    yield operation('mail.list_authorized_senders', {});
    yield operation('procedures.create_draft', DRAFT);
  }
}
