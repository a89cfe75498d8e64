import type { AuditEntry } from '@action-platform/contracts';

/** The fields of an entry that a search can name, each with the value of a filter. */
export interface Wanted {
  readonly request_id?: string | undefined;
  readonly target_id?: string | undefined;
  readonly invocation_id?: string | undefined;
  readonly grant_id?: string | undefined;
  readonly code?: string | undefined;
  readonly user_id?: string | undefined;
  readonly operation_id?: string | undefined;
}

/** The values of an entry for each filter, those first that few entries have. */
const valuesOf: {
  readonly [Filter in keyof Wanted]-?: (entry: AuditEntry) => readonly (string | undefined)[];
} = {
  request_id: ({ request_id }) => [request_id],
  target_id: ({ targets }) => targets,
  invocation_id: ({ invocation_id }) => [invocation_id],
  grant_id: ({ grant_id }) => [grant_id],
  code: ({ code }) => [code],
  user_id: ({ user_id }) => [user_id],
  operation_id: ({ operation }) => [operation],
};
const filters = Object.keys(valuesOf) as (keyof Wanted)[];

/** The terms of entries: what a search for any of them can name, each once. */
export function termsOf(entries: readonly AuditEntry[]): string[] {
  return filters.flatMap((filter) => {
    const values = new Set(entries.flatMap(valuesOf[filter]));
    return [...values].flatMap((value) => (value === undefined ? [] : [term(filter, value)]));
  });
}

/** The terms that a block with a wanted entry has, the rarest first. */
export function wantedTerms(wanted: Wanted): string[] {
  return filters.flatMap((filter) => (wanted[filter] === undefined ? [] : [term(filter, wanted[filter])]));
}

/** Whether an entry has every value that is wanted. */
export function isWanted(entry: AuditEntry, wanted: Wanted): boolean {
  return filters.every(
    (filter) => wanted[filter] === undefined || valuesOf[filter](entry).includes(wanted[filter]),
  );
}

/** The term of a value for a filter. */
export function term(filter: keyof Wanted, value: string): string {
  return `${filter}:${value}`;
}
