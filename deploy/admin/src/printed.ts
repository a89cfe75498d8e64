import { escapeHidden, isObject } from '@action-platform/contracts/schema';

/** An answer as one line of JSON, for scripts. Names in it cannot control a terminal. */
export function asJson(answer: object): string {
  return `${escapeHidden(JSON.stringify(answer))}\n`;
}

/**
 * An answer for people: a listing, which its first field has, as a table with a line for each item, anything else with a line for
 * each field.
 *
 * @param columns of a listing; all fields by default.
 */
export function asTable(answer: object, columns?: readonly string[]): string {
  const fields = Object.entries(answer);
  const [[name, items] = [], ...others] = fields;
  if (Array.isArray(items)) {
    const rest = others.filter(([, value]) => value !== null);
    return [
      items.length === 0 ? `No ${name}.\n` : table(items, columns),
      ...rest.map(([field, value]) => row(field, value)),
    ].join('');
  }
  // Of `{member: {…}}` the fields of the Member are shown.
  const about = fields.flatMap(([field, value]) =>
    isObject(value) ? Object.entries(value) : [[field, value] as const],
  );
  const width = Math.max(...about.map(([field]) => field.length));
  return about.map(([field, value]) => row(field.padEnd(width), value)).join('');
}

/** Rounds to three significant digits. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function row(field: string, value: unknown): string {
  return `${field}  ${cell(value)}\n`;
}

function table(items: readonly unknown[], shown?: readonly string[]): string {
  const rows = items.map((item) => (isObject(item) ? item : { value: item }));
  const columns = shown ?? [...new Set(rows.flatMap((each) => Object.keys(each)))];
  const cells = rows.map((each) => columns.map((column) => cell(each[column])));
  const lines = [columns.map(heading), ...cells];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  const padded = lines.map((line) => line.map((text, index) => text.padEnd(widths[index]!)));
  return padded.map((line) => `${line.join('  ').trimEnd()}\n`).join('');
}

/** The name of a field as the heading of a column, its words apart. */
function heading(field: string): string {
  return field.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/** A value in one line, without characters that control a terminal. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return cell(value.join(', ') || '-');
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return escapeHidden(text);
}
