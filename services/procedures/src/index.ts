export { procedures } from './service.ts';
