export { knowledge } from './service.ts';
