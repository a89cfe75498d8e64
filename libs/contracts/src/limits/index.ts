export * from './limits.ts';
export { timeouts } from './timeouts.ts';
