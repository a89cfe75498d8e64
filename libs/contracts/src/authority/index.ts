export * from './grant-secret.ts';
export * from './principal.ts';
