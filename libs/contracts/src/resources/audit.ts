import { z } from 'zod';
import { defineMemberRoute } from '../declaration/member-route.ts';
import { auditFilters } from '../operations/audit/filters.ts';
import { field } from '../schema/fields.ts';

/** The forms in which entries are exported, each with its media type. */
const auditExportTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
export type AuditExportFormat = keyof typeof auditExportTypes;

const all = { role: 'owner', method: 'get' } as const;

/** The routes of the audit log, besides its operation. */
export const auditRoutes = {
  export: defineMemberRoute({
    ...all,
    id: 'audit.export_audit_entries',
    path: '/api/v1/audit/entries',
    title: 'Export the audit log',
    description:
      'All entries that match, newest first, as a stream: a JSON object a line, or CSV. Only for a signed-in Owner. Fields of CSV that a spreadsheet would take for a formula begin with an apostrophe.',
    input: z.strictObject({
      ...auditFilters,
      format: field(
        z.enum(['ndjson', 'csv']).default('ndjson'),
        'The form of the export. When left out, the header Accept decides.',
        'csv',
      ),
    }),
    output: z.unknown(),
    file: { name: 'audit', types: auditExportTypes, field: 'format' },
    answer: { description: 'The entries.' },
  }),
  verify: defineMemberRoute({
    ...all,
    id: 'audit.verify_audit_log',
    path: '/api/v1/audit/verification',
    title: 'Verify the audit log',
    description:
      'Whether the entries that are kept are as the platform sealed them: none altered, removed or added. Only for a signed-in Owner.',
    input: z.strictObject({}),
    output: z.strictObject({
      valid: z.boolean(),
      blocks: field(z.int().min(0), 'How many blocks of entries are kept.'),
      entries: z.int().min(0),
      problem: field(z.string().optional(), 'The first thing that was altered, in a sentence.'),
    }),
    answer: {
      description: 'What the verification found.',
      example: { valid: true, blocks: 12, entries: 340 },
    },
  }),
};
