/** Everything an operator can do, and what that takes between services. */

export * from './grants.ts';
export * from './knowledge.ts';
export * from './mail.ts';
export * from './members.ts';
export * from './record-store.ts';
