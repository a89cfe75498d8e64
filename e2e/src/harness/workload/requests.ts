import type { Json } from '@action-platform/testing/http';
import type { Action, Payment, Result, Revision } from '../history.ts';
import type { Fixture } from './fixture.ts';
import { operation, type Request } from './session.ts';
import { RUNS } from './steps.ts';

/** The custom operation of the suite of that name. */
export const REFUND = 'custom.refund_order';
/** The custom operation of a payment. */
export const paymentId = (payment: Payment) => `custom.${payment}`;

const GRANT_LIFE_MS = 24 * 3_600_000;

/** A payload that names its write. */
export function payloadOf(key: string): { write: string; base: string } {
  return { write: key, base: key };
}

/** A revision in an answer: the payload names its writes. */
const revisionOf = ({ version, payload: { write, base } }: Json): Revision => ({ version, write, base });
/** Reads an answer with a Record. */
export const readRecord = ({ record }: Json): Result => ({
  record: record.id,
  revisions: [revisionOf(record)],
});
/** Reads an answer of `get_record_history`. */
export const readHistory = ({ revisions }: Json): Result => ({ revisions: revisions.map(revisionOf) });
const nothing = () => ({});

/** The request of an action, but for those of several requests or of operators. The fixture keeps what it makes. */
export function requestOf(action: Exclude<Action, { what: 'list' | 'file' }>, fixture: Fixture): Request {
  const place = (record: string) => ({ collection_id: fixture.places.get(record)!, record_id: record });
  const change = (record: string, name: string, input: object, read: Parameters<typeof operation>[2]) =>
    operation(`record_store.${name}`, { ...place(record), ...input }, read);
  const anyRead = () => change(fixture.records[0]!, 'get_record', {}, nothing);
  switch (action.what) {
    case 'push': {
      const { collection, key } = action;
      const input = { collection_id: collection, payload: payloadOf(key), idempotency_key: key };
      const read = (result: Json) => {
        fixture.places.set(result.record.id, collection);
        return readRecord(result);
      };
      const isLimited = collection === fixture.limited.collection;
      const request = operation('record_store.push_record', input, read);
      return isLimited ? { ...request, token: fixture.limited.token } : request;
    }
    case 'replace':
    case 'patch': {
      const { record, key, expected } = action;
      const made = action.what === 'replace' ? { payload: payloadOf(key) } : { patch: { write: key } };
      const precondition = expected === undefined ? {} : { expected_version: expected };
      const input = { ...made, ...precondition, idempotency_key: key };
      return change(record, `${action.what}_record`, input, readRecord);
    }
    case 'get':
      return change(action.record, 'get_record', {}, readRecord);
    case 'archive':
    case 'restore':
    case 'delete':
      return change(action.record, `${action.what}_record`, {}, nothing);
    case 'history':
      return change(action.record, 'get_record_history', {}, readHistory);
    case 'use':
      return { ...anyRead(), token: fixture.secrets.get(action.grant)! };
    case 'run': {
      const headers = { 'x-routine-invocation-id': action.invocation };
      return { ...anyRead(), token: fixture.secrets.get(action.grant)!, headers };
    }
    case 'revoke':
      return { method: 'DELETE', path: `/api/v1/operation-grants/${action.grant}`, read: nothing };
    case 'grant':
    case 'routine':
      return postGrant(action, fixture);
    case 'draft': {
      const { key } = action;
      const input = {
        to: ['colleague@acme.com', 'somebody@example.com'],
        subject: key,
        body: key,
        idempotency_key: key,
      };
      return operation('mail.send_email', input, ({ draft_id }) => ({ made: draft_id }));
    }
    case 'collection': {
      const read = ({ collection: { id } }: Json) => {
        if (!fixture.collections.includes(id)) fixture.collections.push(id);
        return { made: id };
      };
      return operation('record_store.create_collection', { name: action.key }, read);
    }
    case 'read_file': {
      const read = ({ file: { bytes, text } }: Json) => {
        const lines = new Set(text.split('\n').slice(0, -1)).size;
        return { file: { bytes, length: text.length, lines } };
      };
      return operation('knowledge.get_file', { key: action.file }, read);
    }
    case 'refund': {
      const { key } = action;
      const input = { order: key, idempotency_key: key };
      return operation(REFUND, input, ({ refund }) => ({ made: refund }));
    }
    case 'pay_once':
    case 'pay_keyed':
    case 'pay_tool':
      return operation(paymentId(action.what), { order: action.key, idempotency_key: action.key }, nothing);
    case 'procedure': {
      const { key } = action;
      const draft = { slug: key, title: key, description: '', markdown: key };
      const read = (result: object) => ({ made: JSON.stringify(result) });
      return operation('procedures.create_draft', draft, read);
    }
  }
}

function postGrant({ what, key, slot }: Action & { what: 'grant' | 'routine' }, fixture: Fixture): Request {
  const common = { idempotencyKey: key, expiresAt: fixture.grantsExpireAt };
  const [kind, slots, own] =
    what === 'grant'
      ? (['operation', fixture.grants, { operationScope: 'record_store.get_record' }] as const)
      : ([
          'routine',
          fixture.routines,
          {
            name: 'job',
            operations: ['record_store.get_record'],
            data: { collectionIds: [fixture.collections[0]] },
            maximumCadence: { invocations: RUNS.allowed, periodSeconds: 86_400 },
          },
        ] as const);
  const read = ({ grant: { id }, secret }: Json) => {
    // A repetition shows the secret only until it has been used.
    if (secret !== undefined) fixture.secrets.set(id, secret);
    slots[slot] = id;
    return { made: id };
  };
  return { path: `/api/v1/${kind}-grants`, input: { ...own, ...common }, read };
}

/** When the grants of a fixture expire. */
export const grantExpiry = () => new Date(Date.now() + GRANT_LIFE_MS).toISOString();
