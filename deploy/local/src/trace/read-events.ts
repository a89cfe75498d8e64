import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bus, connectBus } from '@action-platform/bus';
import { type ChangeEvent, EVENTS } from '@action-platform/contracts';
import { paths } from '@action-platform/deployment';
import type { LocalDirectory } from '../local-directory.ts';
import { readStack } from '../stack/bus-access.ts';
import type { LogLine } from './read-store.ts';

const CONNECT_TIMEOUT_MS = 1_000;
const MESSAGE_BYTES = 64 * 1024;
/** Events are stored within a second, unless JetStream is away. In a larger part of the stream a request is not looked for. */
const MESSAGES = 2_000;

/** The change events of a request, as log lines of the services that published them; none while the stack is stopped. */
export async function readEvents(
  directory: LocalDirectory,
  { requestId, since }: { readonly requestId: string; readonly since: number },
): Promise<LogLine[]> {
  let bus: Bus;
  try {
    bus = await connectAsReader(directory);
  } catch {
    return [];
  }
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
  } catch {
    return [];
  } finally {
    await bus.drain();
  }
}

/** The service `events` may read the stream. */
async function connectAsReader(directory: LocalDirectory): Promise<Bus> {
  const { nats_url: url, authority_file: authorityFile } = readStack(directory);
  const seed = readFileSync(join(directory.keys, paths.seed('events')), 'utf8').trim();
  const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  const access = { url, authorityFile, user: 'events', seed } as const;
  return await connectBus({ ...access, maxMessageBytes: MESSAGE_BYTES, signal });
}
