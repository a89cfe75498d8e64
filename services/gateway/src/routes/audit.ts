import {
  type AuditExportFormat,
  auditExportTypes,
  exportEntries,
  verifyEntries,
} from '@action-platform/contracts';
import type { Request } from 'express';
import type { Dependencies } from '../dependencies.ts';
import type { ApiResponse } from '../http/api-response.ts';
import { memberRoute } from './member-route.ts';

/** The handlers of the routes of the audit log. */
export function auditHandlers(dependencies: Dependencies) {
  const answer = memberRoute(dependencies);
  return {
    /** GET /api/v1/audit/entries */
    export: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      const { format = acceptedFormat(request), ...filters } = request.query;
      const file = { mediaType: auditExportTypes[format as AuditExportFormat], name: `audit.${format}` };
      await answer(request, response, { call: exportEntries, input: { ...filters, format }, file });
    },

    /** GET /api/v1/audit/verification */
    verify: async (request: Request<never>, response: ApiResponse): Promise<void> => {
      await answer(request, response, { call: verifyEntries, input: request.query });
    },
  };
}

/** The form that the header Accept prefers (RFC 9110, section 12.5.1). */
function acceptedFormat(request: Request<never>): AuditExportFormat {
  return request.accepts(Object.values(auditExportTypes)) === auditExportTypes.csv ? 'csv' : 'ndjson';
}
