import type { AuditEntry } from '@action-platform/contracts';

const columns = [
  'at',
  'request_id',
  'call_id',
  'user_id',
  'via',
  'grant_id',
  'grant_name',
  'invocation_id',
  'operation',
  'targets',
  'status',
  'code',
  'outcome',
  'replayed',
  'answered',
  'count',
] as const satisfies (keyof AuditEntry)[];

/** The first line of CSV. */
export const csvHeader = `${columns.join(',')}\r\n`;

/** An entry as a line of CSV (RFC 4180). */
export function csvLine(entry: AuditEntry): string {
  return `${columns.map((column) => csvField(entry[column])).join(',')}\r\n`;
}

/** A value as a field of CSV. A spreadsheet takes a text with one of these beginnings for a formula; an apostrophe prevents it. */
function csvField(value: AuditEntry[keyof AuditEntry]): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
