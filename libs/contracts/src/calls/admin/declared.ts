/** The commands of operators, and the calls between services that they need. */

export * from './audit.ts';
export * from './custom-operations.ts';
export * from './grants.ts';
export * from './knowledge.ts';
export * from './mail.ts';
export * from './members.ts';
export * from './record-store.ts';
export * from './rekey.ts';
