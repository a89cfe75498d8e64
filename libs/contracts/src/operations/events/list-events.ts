import { z } from 'zod';
import { changeEvent, changeEventType } from '../../change-events/change-event.ts';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { field } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** The cursor at the end of the feed as it is now. */
export const LATEST = 'latest';

/** The most Collections in a filter of the feed, and the longest name of one. */
const MOST_COLLECTIONS = 100;
const COLLECTION_NAME_LENGTH = 100;

export const listEvents = defineOperation({
  id: 'events.list_events',
  title: 'List change events',
  description:
    'Lists what was changed in the Workspace: ids and numbers, never content. Events of one Record are in the order of its commits; an event may come again, with its id. Follow next_cursor, also after an empty page.',
  effect: 'read',
  waits: true,
  input: z.strictObject({
    types: field(
      z.array(changeEventType).min(1).max(changeEventType.options.length).optional(),
      'Only these types, and feed.gap.',
      ['record.pushed', 'record.replaced'],
    ),
    collection_ids: field(
      z
        .array(text({ min: 1, max: COLLECTION_NAME_LENGTH }))
        .min(1)
        .max(MOST_COLLECTIONS)
        .optional(),
      'Only of these Collections, by id or name, and feed.gap.',
      [exampleId('collection')],
    ),
    cursor: field(
      text({ min: 1, max: 300 }).optional(),
      `A former next_cursor, or ${LATEST} for the end as it is now. Without it: the oldest that is kept.`,
      LATEST,
    ),
    limit: field(z.int().min(1).max(500).default(100), 'The most events of the page.', 100),
    wait_seconds: field(z.int().min(0).max(5).default(0), 'How long to wait while there is none.', 5),
  }),
  example: { types: ['record.pushed'], limit: 100 },
  output: z.strictObject({
    events: z.array(changeEvent),
    next_cursor: field(z.string(), 'Pass it as cursor to go on. Never null.'),
  }),
  exampleResult: {
    events: [
      {
        specversion: '1.0',
        id: 'evt_5e0c5a7f3f1b4d0f9a6c2d8e7b1a4c3d',
        source: '/workspaces/ws_0198f2cf7a3c7d61a2f04be35c9d18e7/record-store',
        type: 'record.pushed',
        subject: exampleId('record'),
        time: '2026-05-01T09:30:00.000Z',
        datacontenttype: 'application/json',
        data: {
          collection_id: exampleId('collection'),
          record_id: exampleId('record'),
          sequence: 1,
          version: 1,
          state: 'active',
          actor: { user_id: 'mika' },
          request_id: 'req_0af7651916cd43dd8448eb211c80319c',
        },
      },
    ],
    next_cursor: 'q3kZ0mHn1uY7cV5tB2xLwSdRf8aGjE4oPiQ6',
  },
  errors: ['event_cursor_expired'],
  dataScope: { kind: 'collectionIds', reached: ({ collection_ids: ids = [] }) => ids },
});
