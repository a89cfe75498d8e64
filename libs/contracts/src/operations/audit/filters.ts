import { z } from 'zod';
import { auditOutcome } from '../../audit/entry.ts';
import { KEY_MAX_LENGTH } from '../../limits.ts';
import { dateTimeOrDay, opaqueId } from '../../schema/fields.ts';
import { text } from '../../schema/text.ts';

/** What entries of the audit log are searched by; an entry has every value that is given. */
export const auditFilters = {
  from: dateTimeOrDay.optional().meta({
    description: 'Not before this time, or this day of UTC.',
    examples: ['2026-05-01T00:00:00Z'],
  }),
  to: dateTimeOrDay.optional().meta({
    description: 'Before this time, or not after this day of UTC.',
    examples: ['2026-05-31'],
  }),
  user_id: text({ min: 1, max: 255 })
    .optional()
    .meta({ description: 'The acting user.', examples: ['mika'] }),
  grant_id: opaqueId
    .optional()
    .meta({ description: 'The grant in use.', examples: ['rgr_0198f2d0c4b17a3e9d51c2aa40e7b6f3'] }),
  invocation_id: text({ min: 1, max: KEY_MAX_LENGTH })
    .optional()
    .meta({ description: 'The run of a routine grant.', examples: ['2026-05-01'] }),
  operation_id: text({ min: 1, max: 200 })
    .optional()
    .meta({
      description: 'The operation, route or command.',
      examples: ['record_store.push_record'],
    }),
  code: z
    .string()
    .max(100)
    .regex(/^[a-z_]+$/)
    .optional()
    .meta({ description: '`ok`, or an error code.', examples: ['owner_role_required'] }),
  outcome: auditOutcome.optional().meta({ description: 'What became of the call.', examples: ['unknown'] }),
  target_id: opaqueId.optional().meta({
    description: 'An id that the call named or made.',
    examples: ['rec_0198f2d1a95e7c02b8e4d7f10c3a6e95'],
  }),
  request_id: text({ min: 1, max: 128 })
    .optional()
    .meta({
      description: 'The x-request-id of the answer.',
      examples: ['req_4bf92f3577b34da6a3ce929d0e0e4736'],
    }),
};

const allFilters = z.object(auditFilters);
export type AuditFilters = z.output<typeof allFilters>;
