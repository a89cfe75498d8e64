export * from './grant-kinds.ts';
export * from './grant-secret.ts';
export * from './principal.ts';
