export * from './change-event.ts';
export * from './types.ts';
