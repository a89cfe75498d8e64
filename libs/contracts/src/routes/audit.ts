import { auditExportQuery, auditExportTypes, verifyEntries } from '../calls/audit.ts';
import { credentialErrors, platformFailures } from '../errors/groups.ts';
import type { Route } from './route.ts';

const errors = [
  'invalid_request',
  ...credentialErrors,
  'workspace_membership_required',
  'owner_role_required',
  'member_session_required',
  ...platformFailures.read,
] as const;

/** The routes of the audit log, besides its operation. */
export const auditRoutes = {
  export: {
    method: 'get',
    path: '/api/v1/audit/entries',
    operationId: 'exportAuditEntries',
    tag: 'audit',
    title: 'Export the audit log',
    description:
      'All entries that match, newest first, as a stream: a JSON object a line, or CSV. Only for a signed-in Owner. Fields of CSV that a spreadsheet would take for a formula begin with an apostrophe.',
    caller: 'member',
    parameters: { query: auditExportQuery },
    answers: [{ status: 200, description: 'The entries.', body: Object.values(auditExportTypes) }],
    errors,
  },
  verify: {
    method: 'get',
    path: '/api/v1/audit/verification',
    operationId: 'verifyAuditLog',
    tag: 'audit',
    title: 'Verify the audit log',
    description:
      'Whether the entries that are kept are as the platform sealed them: none altered, removed or added. Only for a signed-in Owner.',
    caller: 'member',
    answers: [
      {
        status: 200,
        description: 'What the verification found.',
        body: verifyEntries.output,
        example: { valid: true, blocks: 12, entries: 340 },
      },
    ],
    errors,
  },
} as const satisfies Record<string, Route>;
