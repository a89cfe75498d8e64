export { type Call, operationSubject } from '../declaration/call.ts';
export type { Command } from '../declaration/command.ts';
export { DELEGATED_PREFIX, mailboxSettings, mailProviders } from './admin/mail-providers.ts';
export * from './all-calls.ts';
export * from './declared.ts';
export * from './health.ts';
export type { Origin, Originated } from './origin.ts';
export * from './timed.ts';
export { eraseCall, exportCall, storesCall } from './workspace-data.ts';
