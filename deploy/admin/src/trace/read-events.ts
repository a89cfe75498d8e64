import { EVENTS } from '@action-platform/contracts/bus';
import type { ChangeEvent } from '@action-platform/contracts/change-events';
import type { Platform } from '../platform.ts';
import { type LogLine, requestIdOf, type TraceSpan } from './found.ts';

/** Events are stored within a second, unless JetStream is away. In a larger part of the stream a request is not looked for. */
const MESSAGES = 2_000;

/** The change events of a request, as log lines of the services that published them; a line with the reason when they cannot be read. */
export async function readEvents(platform: Platform, request: TraceSpan): Promise<LogLine[]> {
  try {
    const reading = { from: new Date(request.started_at), limit: MESSAGES };
    const messages = await (await platform.streams()).read(EVENTS, reading);
    return messages.flatMap(({ publisher, storedAt, body }) =>
      (JSON.parse(Buffer.from(body).toString()) as ChangeEvent[])
        .filter(({ data }) => data.request_id === requestIdOf(request))
        .map(({ id, type, subject, data: { sequence } }) => ({
          ...{ at: storedAt.getTime(), service: publisher, pid: undefined, span_id: undefined },
          ...{ level: 'event', text: type, fields: { id, subject, sequence } },
        })),
    );
  } catch (error) {
    const text = `the change events are missing: ${(error as Error).message}`;
    const place = { at: request.started_at, service: 'trace', pid: undefined, span_id: undefined };
    return [{ ...place, level: 'warn', text, fields: {} }];
  }
}
