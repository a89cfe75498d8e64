/** Every operation of the platform, one line each. */
export * from './audit/list-entries.ts';
export { listEvents } from './events/list-events.ts';
export * from './knowledge/list-visible-files.ts';
export * from './mail/list-authorized-senders.ts';
export * from './mail/list-send-history.ts';
export * from './mail/send-email.ts';
export * from './procedures/create-draft.ts';
export * from './record-store/archive-record.ts';
export * from './record-store/create-collection.ts';
export * from './record-store/delete-record.ts';
export * from './record-store/get-record.ts';
export * from './record-store/get-record-history.ts';
export * from './record-store/list-collections.ts';
export * from './record-store/list-records.ts';
export * from './record-store/patch-record.ts';
export * from './record-store/push-record.ts';
export * from './record-store/replace-record.ts';
export * from './record-store/restore-record.ts';
