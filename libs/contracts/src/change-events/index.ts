export * from './change-event.ts';
export * from './events-in.ts';
export * from './types.ts';
