import type { Platform } from '../platform.ts';

/** A call that the service behind a tool refuses, and the code of its error. */
export type RefusedCall = readonly [code: string, tool: string, args: Record<string, unknown>];

const DRAFT = { slug: 'taken', title: 'Greet', description: '', markdown: '# Hi' };
const EMAIL = { to: ['ada@example.com'], subject: 'Hello', body: 'Text', idempotency_key: 'used' };

/** Prepares the Workspace of a platform; returns calls that are refused in it, and some that are once it is beyond its quota. */
export async function refusedCalls(platform: Platform) {
  const store = (name: string, args: object) => platform.call(`record_store.${name}`, args);
  const name = 'refusals';
  const { collection } = await store('create_collection', { name });
  const here = { collection_id: collection.id };
  const pushed = { ...here, payload: {}, idempotency_key: 'used' };
  const active = { ...here, record_id: (await store('push_record', pushed)).record.id };
  const archived = { ...here, record_id: (await store('push_record', { ...here, payload: {} })).record.id };
  await store('archive_record', archived);
  await platform.call('procedures.create_draft', DRAFT);
  await platform.call('mail.send_email', EMAIL);

  const write = { payload: { a: 1 }, idempotency_key: 'new' };
  const patch = { patch: { a: 1 }, idempotency_key: 'new' };
  const nowhere = { collection_id: 'col_none' };
  const nothing = { ...here, record_id: 'rec_none' };
  const refused: RefusedCall[] = [
    ['record_store_collection_name_taken', 'record_store__create_collection', { name, description: 'other' }],
    ['record_store_collection_not_found', 'record_store__list_records', nowhere],
    ['record_store_collection_not_found', 'record_store__push_record', { ...nowhere, ...write }],
    ['record_store_invalid_payload', 'record_store__push_record', { ...here, ...write, payload: [] }],
    ['record_store_idempotency_conflict', 'record_store__push_record', { ...pushed, payload: { b: 1 } }],
    ['record_store_record_not_found', 'record_store__get_record', nothing],
    ['record_store_record_not_found', 'record_store__get_record_history', nothing],
    ['record_store_record_not_found', 'record_store__archive_record', nothing],
    ['record_store_record_not_found', 'record_store__restore_record', nothing],
    ['record_store_record_not_found', 'record_store__delete_record', nothing],
    [
      'record_store_stale_version',
      'record_store__replace_record',
      { ...active, ...write, expected_version: 99 },
    ],
    [
      'record_store_stale_version',
      'record_store__patch_record',
      { ...active, ...patch, expected_version: 99 },
    ],
    ['record_store_record_archived', 'record_store__replace_record', { ...archived, ...write }],
    ['record_store_record_archived', 'record_store__patch_record', { ...archived, ...patch }],
    ['record_store_record_not_archived', 'record_store__delete_record', active],
    ['procedure_not_found', 'procedures__get_draft', { slug: 'none' }],
    ['procedure_slug_taken', 'procedures__create_draft', { ...DRAFT, title: 'Other' }],
    [
      'mail_sender_not_authorized',
      'mail__send_email',
      { ...EMAIL, idempotency_key: 'new', sender_id: 'snd_none' },
    ],
    ['mail_idempotency_conflict', 'mail__send_email', { ...EMAIL, subject: 'Other' }],
  ];
  const full = 'record_store_quota_exceeded';
  const overQuota: RefusedCall[] = [
    [full, 'record_store__push_record', { ...here, ...write }],
    [full, 'record_store__replace_record', { ...active, ...write }],
    [full, 'record_store__patch_record', { ...active, ...patch }],
  ];
  return { refused, overQuota };
}
