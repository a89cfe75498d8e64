import { z } from 'zod';
import { auditFilters } from '../operations/audit/filters.ts';
import { defineCall } from './call.ts';

/** The forms in which entries are exported, each with its media type. */
export const auditExportTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;
export type AuditExportFormat = keyof typeof auditExportTypes;

/** The query of GET /api/v1/audit/entries. */
export const auditExportQuery = z.strictObject({
  ...auditFilters,
  format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .meta({
      description: 'The form of the export. When left out, the header Accept decides.',
      examples: ['csv'],
    }),
});

/** Verifies the audit log for an Owner. */
export const verifyEntries = defineCall({
  name: 'verify_entries',
  service: 'audit',
  callers: ['gateway'],
  effect: 'read',
  idempotent: 'always',
  isMemberRoute: true,
  input: z.strictObject({}),
  output: z.strictObject({
    valid: z.boolean(),
    blocks: z.int().min(0).meta({ description: 'How many blocks of entries are kept.' }),
    entries: z.int().min(0),
    problem: z.string().optional().meta({ description: 'The first thing that was altered, in a sentence.' }),
  }),
});

/** Exports the entries of the audit log to an Owner, newest first, as text in the form that the input names. */
export const exportEntries = defineCall({
  name: 'export_entries',
  service: 'audit',
  callers: ['gateway'],
  effect: 'read',
  idempotent: 'always',
  isMemberRoute: true,
  input: auditExportQuery,
  // Text, streamed.
  output: z.unknown(),
});
