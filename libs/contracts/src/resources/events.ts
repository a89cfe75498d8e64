import { z } from 'zod';
import type { Route } from '../declaration/route.ts';
import { exampleId } from '../ids/ids.ts';
import { errorsOf } from '../operations/descriptor.ts';
import { LATEST, listEvents } from '../operations/events/list-events.ts';
import { field } from '../schema/fields.ts';
import { routineInvocationHeader } from '../schema/request-headers.ts';

/** The media type of server-sent events (HTML, section 9.2). */
export const EVENT_STREAM = 'text/event-stream';

const CURSOR = 'WyJldmVudHMgd3NfMDE5OGYyY2YiLCJtZno0ay41LjAiXQ';

/** The route that follows change events. */
export const eventRoutes = {
  follow: {
    method: 'get',
    path: '/api/v1/events',
    operationId: 'followEvents',
    tag: 'events',
    title: 'Follow change events',
    description:
      'The events of events.list_events as server-sent events, as they come: data is the event, id a cursor after it. A block without data has an id too. The stream ends when its gateway stops; connect again with the last id as Last-Event-ID. It ends with the event refused, whose data is an error envelope, when its caller may no longer read.',
    caller: 'member_or_grant',
    parameters: {
      query: z.strictObject({
        cursor: field(
          z.string().optional(),
          `Where to go on: a cursor of this route or of events.list_events, or ${LATEST} for the end as it is now. When left out: the oldest event that is kept.`,
          LATEST,
        ),
        types: field(
          z.string().optional(),
          'Only events of these types, and feed.gap; separated by commas.',
          'record.pushed,record.replaced',
        ),
        collection_ids: field(
          z.string().optional(),
          'Only events of these Collections, by id or by a name without comma, and feed.gap; separated by commas.',
          exampleId('collection'),
        ),
      }),
      header: routineInvocationHeader.extend({
        'last-event-id': field(
          z.string().optional(),
          'The id of the last event that was received. It counts before cursor.',
          CURSOR,
        ),
      }),
    },
    answers: [{ status: 200, description: 'The events, without an end.', body: [EVENT_STREAM] }],
    errors: errorsOf(listEvents).filter(
      (code) => code !== 'invalid_json' && code !== 'request_body_too_large' && code !== 'unknown_operation',
    ),
  },
} as const satisfies Record<string, Route>;
