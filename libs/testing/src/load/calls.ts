import http, { type Agent } from 'node:http';
import https from 'node:https';

/** A caller: a Member with a session. */
export interface Caller {
  readonly owner: { readonly token: string };
}

/** An idempotent request. */
export interface RepeatableCall {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** The outcome of a request: the status of its answer, or the code of a connection error. */
export type CallOutcome = number | string;

/** Makes a request over the connections of an agent. Resolves once the answer is complete; never rejects. */
export async function send(
  url: string,
  agent: Agent,
  token: string,
  call: Omit<RepeatableCall, 'name'>,
): Promise<CallOutcome> {
  return (await exchange(url, agent, token, call)).outcome;
}

/** The same, with the body of the answer; empty without an answer. */
export function exchange(
  url: string,
  agent: Agent,
  token: string,
  { method, path, body }: Pick<RepeatableCall, 'path' | 'body'> & { readonly method: string },
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly outcome: CallOutcome; readonly text: string }> {
  const { promise, resolve } = Promise.withResolvers<{ outcome: CallOutcome; text: string }>();
  const fail = ({ code, message }: NodeJS.ErrnoException) => resolve({ outcome: code ?? message, text: '' });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...more };
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.once('error', fail);
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => resolve({ outcome: response.statusCode!, text }));
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
    name: id,
    method: 'POST',
    path: `/api/v1/operations/${id}`,
    body: JSON.stringify(input),
  });
  for (let index = 0; ; index++) {
    const key = { idempotency_key: `${caller}-${index}` };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('record_store.get_record', { collection_id, record_id: record!.id });
    yield { name: 'discovery', method: 'GET', path: '/api/v1/operations', body: '' };
    yield operation('record_store.push_record', { collection_id, payload: { index }, ...key });
    yield operation('knowledge.list_visible_files', {});
    yield operation('mail.list_authorized_senders', {});
    yield operation('procedures.create_draft', DRAFT);
  }
}
