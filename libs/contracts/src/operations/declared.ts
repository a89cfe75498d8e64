/** The files that declare every operation of the platform, and nothing else. */
export * from './audit/entries.ts';
export { listEvents } from './events/list-events.ts';
export { getFile } from './knowledge/get-file.ts';
export * from './knowledge/list-visible-files.ts';
export * from './mail/list-authorized-senders.ts';
export * from './mail/list-send-history.ts';
export * from './mail/send-email.ts';
export * from './procedures/drafts.ts';
export * from './record-store/collections.ts';
export { getRecords, pushRecords } from './record-store/many-records.ts';
export * from './record-store/records.ts';
