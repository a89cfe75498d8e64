import type { StatedError } from './entry.ts';

export const recordStoreErrors = {
  record_store_quota_exceeded: {
    status: 400,
    message: 'The Workspace has no room left for these bytes.',
    recoverable: false,
    next: 'Ask an Owner to delete archived Records that are no longer needed, or an operator to raise the limit that the message names.',
    keepsTrace: true,
    why: 'Every kept revision of every Record counts against the stored-bytes quota of the Workspace, and against its limit of revisions and deleted Records.',
  },
  record_store_payload_too_large: {
    status: 400,
    message: 'The payload is larger than a Record can hold.',
    next: 'Make the payload smaller, for example by splitting it over several Records.',
    why: 'The payload of a Record may be at most 262144 bytes of JSON text unless the operator has set another limit.',
  },
  record_store_invalid_payload: {
    status: 400,
    message: 'The payload is not a JSON object with one meaning.',
    next: 'Correct the place that the message names (an object at the top, no duplicate names, no lone surrogates) and try again.',
    why: 'A payload is kept exactly as sent, so what readers could understand differently (RFC 7493) is refused instead of being altered.',
  },
  record_store_stale_version: {
    status: 400,
    message: 'The Record has changed since the version that was expected.',
    next: 'Get the Record with record_store.get_record, apply your change to its current payload, and repeat the call with its version as expected_version.',
    names: 'record',
    why: 'The expected_version of a call protects a change that somebody else made in between from being overwritten.',
  },
  record_store_idempotency_conflict: {
    status: 400,
    message: 'This idempotency_key was already used with other input.',
    next: 'To bring the Record that the message names up to date, replace or patch it by its id; for another Record use a new idempotency_key.',
    names: 'record',
    why: 'A key names one call. Payloads are compared by value: white space and the order of names do not matter. To learn the first outcome, repeat the first input with the key.',
  },
  record_store_collection_not_found: {
    status: 400,
    message: 'The Workspace has no such Collection.',
    next: 'Use an id from record_store.list_collections as collection_id.',
    why: 'The collection_id is wrong or belongs to another Workspace.',
  },
  record_store_collection_name_taken: {
    status: 400,
    message: 'A Collection of this name exists with other values.',
    next: 'Choose another name, or use the existing Collection from record_store.list_collections.',
    why: 'Names of Collections are unique in a Workspace. Repeating an identical create returns the existing Collection.',
  },
  record_store_record_not_found: {
    status: 400,
    message: 'The Collection has no such Record.',
    next: 'Use an id from record_store.list_records as record_id; to store the payload anew, push it with a new idempotency_key.',
    nextAt: { item: 'To store the payload anew, push it with a new idempotency_key.' },
    why: 'The record_id is wrong, belongs to another Collection, or the Record was permanently deleted.',
  },
  record_store_record_archived: {
    status: 400,
    message: 'The Record is archived.',
    next: 'Restore it with record_store.restore_record, then repeat the call.',
    names: 'record',
    why: 'An archived Record can be read, restored or deleted, but not changed.',
  },
  record_store_record_not_archived: {
    status: 400,
    message: 'Only an archived Record can be deleted.',
    next: 'Archive it with record_store.archive_record, then repeat the call.',
    names: 'record',
    why: 'Deleting is permanent and takes the history too, so it takes two deliberate steps.',
  },
  record_store_member_writes_disabled: {
    status: 403,
    message: 'Members may read this Collection but not write to it.',
    recoverable: false,
    next: 'Ask an Owner of the Workspace to make this change, or use a Collection with member_writes_enabled.',
    why: 'Whether Members may write is set when a Collection is created.',
  },
} as const satisfies Record<string, StatedError>;
