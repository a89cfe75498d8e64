export { mail } from './service.ts';
