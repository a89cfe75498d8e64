/** Everything an operator can do, in the order of the help, and what that takes between services. */

export * from './knowledge.ts';
export * from './mail.ts';
export * from './members.ts';
export * from './record-store.ts';
