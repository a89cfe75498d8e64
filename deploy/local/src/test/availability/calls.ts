import { type Agent, request } from 'node:http';
import type { Demo } from '../../demo-workspace.ts';

/** A request that can be made again with the same effect. */
export interface RepeatableCall {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** What became of a request: the status of its answer, or the code of the error that came instead. */
export type CallOutcome = number | string;

/** Makes a request over the connections of an agent. Resolves when its answer is there as a whole; never rejects. */
export function send(
  url: string,
  agent: Agent,
  token: string,
  { method, path, body }: RepeatableCall,
): Promise<CallOutcome> {
  const { promise, resolve } = Promise.withResolvers<CallOutcome>();
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
    response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    response.once('end', () => resolve(response.statusCode!));
    response.resume();
  });
  sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  sent.end(body);
  return promise;
}

/** To create it again is to get it again. */
const DRAFT = { slug: 'availability', title: 'Availability', description: '', markdown: '# Availability' };

/** What an ordinary caller asks for, endlessly: every service has its part, and nearly half of the calls write. */
export async function* ordinaryCalls(
  url: string,
  { owner: { token } }: Pick<Demo, 'owner'>,
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
