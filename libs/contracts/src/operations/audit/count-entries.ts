import { z } from 'zod';
import { defineOperation } from '../../declaration/operation.ts';
import { timestamp } from '../../schema/fields.ts';
import { auditFilters } from './filters.ts';

const count = z.int().min(0);

/** The calls of an hour or a day. */
const bucket = z.strictObject({
  at: timestamp.meta({ description: 'The beginning of the hour or the day, in UTC.' }),
  calls: count.meta({ description: 'All of them; an entry that equal calls share counts each.' }),
  refused: count.meta({ description: 'Those with the outcome `refused`.' }),
  failed: count.meta({ description: 'Those with the outcome `failed`.' }),
});

export const countEntries = defineOperation({
  id: 'audit.count_entries',
  service: 'audit',
  title: 'Count audit entries',
  description: 'Counts the calls of the audit log by hour or day; visible as in audit.list_entries.',
  effect: 'read',
  input: z.strictObject({
    from: auditFilters.from.meta({
      description:
        'Not before this time, or day of UTC: 24 hours before the end by default, at most 31 days.',
      examples: ['2026-05-01'],
    }),
    to: auditFilters.to.meta({
      description: 'Before this time, or not after this day of UTC; by default now.',
      examples: ['2026-05-31'],
    }),
    step: z
      .enum(['hour', 'day'])
      .default('hour')
      .meta({ description: 'How long a bucket is.', examples: ['day'] }),
    grant_id: auditFilters.grant_id,
  }),
  example: { from: '2026-05-01', to: '2026-05-01', step: 'day' },
  output: z.strictObject({ buckets: z.array(bucket) }),
  exampleResult: { buckets: [{ at: '2026-05-01T00:00:00.000Z', calls: 1280, refused: 12, failed: 0 }] },
});
