import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bus, connectBus } from '@action-platform/bus';
import { type ChangeEvent, EVENTS } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import type { LocalDirectory } from '../local-directory.ts';
import { readStack } from '../stack/bus-access.ts';
import type { LogLine } from './read-store.ts';

const MESSAGE_BYTES = 64 * 1024;
/** Events are stored within a second, unless JetStream is away. In a larger part of the stream a request is not looked for. */
const MESSAGES = 2_000;

/** The change events of a request, as log lines of the services that published them; none while the stack is stopped. Otherwise a line has the reason why they are missing. */
export async function readEvents(
  directory: LocalDirectory,
  request: { readonly requestId: string; readonly since: number },
): Promise<LogLine[]> {
  try {
    return await storedEvents(directory, request);
  } catch (error) {
    const { message } = error as Error;
    if (/connection refused/.test(message)) return [];
    const line = { at: request.since, service: 'trace', pid: undefined, spanId: undefined };
    return [{ ...line, level: 'warn', text: `the change events are missing: ${message}`, fields: {} }];
  }
}

async function storedEvents(
  directory: LocalDirectory,
  { requestId, since }: { readonly requestId: string; readonly since: number },
): Promise<LogLine[]> {
  const bus = await connectAsReader(directory);
  try {
    const messages = await bus.streams.read(EVENTS, { from: new Date(since), limit: MESSAGES });
    return messages.flatMap(({ publisher, storedAt, body }) =>
      (JSON.parse(Buffer.from(body).toString()) as ChangeEvent[])
        .filter(({ data }) => data.request_id === requestId)
        .map(({ id, type, subject, data: { sequence } }) => ({
          ...{ at: storedAt.getTime(), service: publisher, pid: undefined, spanId: undefined },
          ...{ level: 'event', text: type, fields: { id, subject, sequence } },
        })),
    );
  } finally {
    await bus.drain();
  }
}

/** The service `events` may read the stream. A server that cannot be reached is not waited for. */
async function connectAsReader(directory: LocalDirectory): Promise<Bus> {
  const { nats_url: url, authority_file: authorityFile } = readStack(directory);
  const seed = readFileSync(join(directory.keys, paths.seed('events')), 'utf8').trim();
  const access = { url, authorityFile, user: 'events', seed } as const;
  const waiting = new AbortController();
  const { signal } = waiting;
  const onEvent = ({ message }: { readonly message: string }) => waiting.abort(new Error(message));
  try {
    return await connectBus({ ...access, maxMessageBytes: MESSAGE_BYTES, signal, onEvent });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}
