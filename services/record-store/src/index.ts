export { recordStore } from './service.ts';
