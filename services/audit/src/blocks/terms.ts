import type { AuditEntry } from '@action-platform/contracts/audit';
import type { AuditFilters } from '@action-platform/contracts/operations';

/** The fields of an entry that a search can name, each with the value of a filter. */
type Wanted = Readonly<Omit<AuditFilters, 'from' | 'to'>>;

/** The values of an entry for each filter, those first that few entries have. */
const valuesOf: {
  readonly [Filter in keyof Wanted]-?: (entry: AuditEntry) => readonly (string | undefined)[];
} = {
  request_id: ({ request_id }) => [request_id],
  target_id: ({ targets }) => targets,
  invocation_id: ({ invocation_id }) => [invocation_id],
  grant_id: ({ grant_id }) => [grant_id],
  user_id: ({ user_id }) => [user_id],
  code: ({ code }) => [code],
  outcome: ({ outcome }) => [outcome],
  operation_id: ({ operation }) => [operation],
};
const filters = Object.keys(valuesOf) as (keyof Wanted)[];

/** The terms of entries: what a search for any of them can name, each once. */
export function termsOf(entries: readonly AuditEntry[]): string[] {
  const ofCalls = entries.flatMap((entry) => {
    const { call_id, request_id } = entry;
    return call_id === undefined ? callTerm(entry) : [callTerm(entry), `chosen_request_id:${request_id}`];
  });
  const others = filters.flatMap((filter) => {
    const values = new Set(filter === 'request_id' ? [] : entries.flatMap(valuesOf[filter]));
    return [...values].flatMap((value) => (value === undefined ? [] : [term(filter, value)]));
  });
  return [...new Set(ofCalls), ...others];
}

/** The ids of a call: its caller may have chosen the request id when it has another one. */
interface CallIds {
  readonly request_id: string;
  readonly call_id?: string | undefined;
}

/** The id that no other call has. */
export function callIdOf({ call_id, request_id }: CallIds): string {
  return call_id ?? request_id;
}

/** The term of one call. No caller can choose it: the request ids that callers chose have terms of another kind. */
export function callTerm({ call_id, request_id }: CallIds): string {
  return call_id === undefined ? term('request_id', request_id) : `call_id:${call_id}`;
}

/**
 * The terms of a block with a wanted entry: the block has one of `any`, or else all of `all`. A request id has so few entries that no other
 * term is asked for.
 */
export function wantedTerms({ request_id, ...wanted }: Wanted): { any: string[] } | { all: string[] } {
  if (request_id !== undefined)
    return { any: [term('request_id', request_id), `chosen_request_id:${request_id}`] };
  const all = filters.flatMap((filter) => {
    const value = filter === 'request_id' ? undefined : wanted[filter];
    return value === undefined ? [] : [term(filter, value)];
  });
  return { all };
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
