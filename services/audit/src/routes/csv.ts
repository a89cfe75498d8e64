import { type AuditEntry, auditEntry } from '@action-platform/contracts/audit';

/** A column for each field of an entry, in the order of its schema. */
const columns = Object.keys(auditEntry.shape) as (keyof AuditEntry)[];

/** The first line of CSV. */
export const csvHeader = `${columns.join(',')}\r\n`;

/** An entry as a line of CSV (RFC 4180). */
export function csvLine(entry: AuditEntry): string {
  return `${columns.map((column) => csvField(entry[column])).join(',')}\r\n`;
}

/** A value as a field of CSV. A spreadsheet takes a text with one of these beginnings, or their full-width forms, for a formula; an apostrophe prevents it. */
function csvField(value: AuditEntry[keyof AuditEntry]): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
