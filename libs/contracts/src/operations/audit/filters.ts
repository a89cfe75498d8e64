import { z } from 'zod';
import { auditOutcome } from '../../audit/entry.ts';
import { exampleId } from '../../ids/ids.ts';
import { dateTimeOrDay, field, key, opaqueId, userId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** The filters of a search in the audit log; an entry has every value that is given. */
export const auditFilters = {
  from: field(dateTimeOrDay.optional(), 'Not before this time, or this day of UTC.', '2026-05-01T00:00:00Z'),
  to: field(dateTimeOrDay.optional(), 'Before this time, or not after this day of UTC.', '2026-05-31'),
  user_id: field(userId.optional(), 'The acting user.', 'mika'),
  grant_id: field(opaqueId.optional(), 'The grant in use.', exampleId('routineGrant')),
  invocation_id: field(key.optional(), 'The run of a routine grant.', '2026-05-01'),
  operation_id: field(opaqueId.optional(), 'The operation, route or command.', 'record_store.push_record'),
  code: field(
    z
      .string()
      .max(100)
      .regex(/^[a-z0-9_]+$/)
      .optional(),
    '`ok`, or an error code.',
    'owner_role_required',
  ),
  outcome: field(auditOutcome.optional(), 'What became of the call.', 'unknown'),
  target_id: field(userId.optional(), 'An id that the call named or made.', exampleId('record')),
  request_id: field(
    text({ min: 1, max: 128 }).optional(),
    'The x-request-id of the answer.',
    'req_4bf92f3577b34da6a3ce929d0e0e4736',
  ),
};

const allFilters = z.object(auditFilters);
export type AuditFilters = z.output<typeof allFilters>;
