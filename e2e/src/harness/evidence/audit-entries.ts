import type { AuditEntry } from '@action-platform/contracts/audit';
import { send } from '@action-platform/testing/http';

/** All entries of a Workspace in the audit log that match a query, as its Owner exports them. */
export async function auditEntries(url: string, token: string, query = ''): Promise<AuditEntry[]> {
  const path = `/api/v1/audit/entries${query}`;
  const { status, text } = await send(url, { method: 'GET', path, token });
  if (status !== 200) throw new Error(`The audit log was not exported: ${status} ${text}`);
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as AuditEntry);
}
