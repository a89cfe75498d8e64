import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import { defineOperation } from '../../declaration/operation.ts';
import { exampleId } from '../../ids/ids.ts';
import { field, nextCursor, paging, timestamp } from '../../schema/fields.ts';
import { auditFilters } from './filters.ts';

const exampleEntry = {
  at: '2026-05-01T10:00:00.000Z',
  request_id: 'req_4bf92f3577b34da6a3ce929d0e0e4736',
  user_id: 'mika',
  via: 'session',
  operation: 'record_store.push_record',
  targets: [exampleId('collection'), exampleId('record')],
  status: 200,
  code: 'ok',
  outcome: 'done',
  replayed: false,
  answered: true,
} as const;

export const listEntries = defineOperation({
  id: 'audit.list_entries',
  title: 'List audit entries',
  description:
    "Lists the calls that wrote or were refused, newest first: for an Owner the Workspace's, for a Member their own and those of their grants, for a grant its own. Reads and many equal refusals share an entry. Follow next_cursor until it is null.",
  effect: 'read',
  input: z.strictObject({ ...auditFilters, ...paging }),
  example: { target_id: exampleId('record') },
  output: z.strictObject({ entries: z.array(auditEntry), next_cursor: nextCursor }),
  exampleResult: { entries: [exampleEntry], next_cursor: null },
  dataScope: undefined,
});

const count = z.int().min(0);

/** The calls of an hour or a day. */
const bucket = z.strictObject({
  at: field(timestamp, 'The beginning of the hour or the day, in UTC.'),
  calls: field(count, 'All of them; an entry that equal calls share counts each.'),
  refused: field(count, 'Those with the outcome `refused`.'),
  failed: field(count, 'Those with the outcome `failed`.'),
});

export const countEntries = defineOperation({
  id: 'audit.count_entries',
  title: 'Count audit entries',
  description:
    "Counts the calls that wrote or were refused, by hour or day: for an Owner the Workspace's, for a Member their own and those of their grants, for a grant its own.",
  effect: 'read',
  input: z.strictObject({
    from: field(
      auditFilters.from,
      'Not before this time, or day of UTC: 24 hours before the end by default, at most 31 days.',
      '2026-05-01',
    ),
    to: field(
      auditFilters.to,
      'Before this time, or not after this day of UTC; by default now.',
      '2026-05-31',
    ),
    step: field(z.enum(['hour', 'day']).default('hour'), 'How long a bucket is.', 'day'),
    grant_id: auditFilters.grant_id,
  }),
  example: { from: '2026-05-01', to: '2026-05-01', step: 'day' },
  output: z.strictObject({ buckets: z.array(bucket) }),
  exampleResult: { buckets: [{ at: '2026-05-01T00:00:00.000Z', calls: 1280, refused: 12, failed: 0 }] },
  dataScope: undefined,
});
