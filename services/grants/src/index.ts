export { grants } from './service.ts';
