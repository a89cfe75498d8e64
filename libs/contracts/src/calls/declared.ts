/** The files that declare calls between services and commands of operators, and nothing else. */
export * from './admin/audit.ts';
export * from './admin/custom-operations.ts';
export * from './admin/grants.ts';
export * from './admin/knowledge.ts';
export * from './admin/mail.ts';
export * from './admin/members.ts';
export * from './admin/record-store.ts';
export * from './admin/rekey.ts';
export * from './agents.ts';
export * from './authority.ts';
export * from './custom-operations.ts';
export * from './member-mailboxes.ts';
export * from './visible-data.ts';
