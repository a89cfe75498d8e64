import type { Action, Result, Revision } from '../history/history.ts';
import { type Asked, operation } from './session.ts';
import type { World } from './world.ts';

/** A Record with a payload that names its writes. */
interface StoredRecord {
  readonly id: string;
  readonly version: number;
  readonly payload: { readonly write: string; readonly base: string };
}

/** A payload that names its write. */
export function payloadOf(key: string): { write: string; base: string } {
  return { write: key, base: key };
}

const revisionOf = ({ version, payload: { write, base } }: Omit<StoredRecord, 'id'>): Revision => ({
  version,
  write,
  base,
});
const readRecord = ({ record }: { record: StoredRecord }): Result => ({
  record: record.id,
  revisions: [revisionOf(record)],
});
/** A revision in an answer of `get_record_history`. */
export const readHistory = ({ revisions }: { revisions: Omit<StoredRecord, 'id'>[] }): Result => ({
  revisions: revisions.map(revisionOf),
});

/** The request of an action, other than a listing, which has several pages. */
export function requestOf(action: Exclude<Action, { what: 'list' }>, world: World): Asked {
  switch (action.what) {
    case 'push': {
      const { collection, key } = action;
      const input = { collection_id: collection, payload: payloadOf(key), idempotency_key: key };
      const token = collection === world.limited.collection ? world.limited.token : world.token;
      return { ...operation('record_store.push_record', input, readRecord), token };
    }
    case 'replace':
    case 'patch': {
      const { record, key, expected } = action;
      const change = action.what === 'replace' ? { payload: payloadOf(key) } : { patch: { write: key } };
      const precondition = expected === undefined ? {} : { expected_version: expected };
      const input = { ...referenceTo(record, world), ...change, ...precondition, idempotency_key: key };
      return operation(`record_store.${action.what}_record`, input, readRecord);
    }
    case 'get':
      return operation('record_store.get_record', referenceTo(action.record, world), readRecord);
    case 'history':
      return operation('record_store.get_record_history', referenceTo(action.record, world), readHistory);
    case 'use':
      return { ...getAny(world), token: world.secrets.get(action.grant)! };
    case 'run': {
      const headers = { 'x-routine-invocation-id': action.invocation };
      return { ...getAny(world), token: world.secrets.get(action.grant)!, headers };
    }
    case 'revoke':
      return { method: 'DELETE', path: `/api/v1/operation-grants/${action.grant}`, read: () => ({}) };
    case 'draft': {
      const { key } = action;
      const input = { to: ['somebody@example.com'], subject: key, body: key, idempotency_key: key };
      return operation('mail.send_email', input, ({ draft_id }: { draft_id: string }) => ({
        draft: draft_id,
      }));
    }
  }
}

function getAny(world: World): Asked {
  return operation('record_store.get_record', referenceTo(world.records[0]!, world), () => ({}));
}

function referenceTo(record: string, { collection }: World): object {
  return { collection_id: collection, record_id: record };
}
