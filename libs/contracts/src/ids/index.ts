export * from './ids.ts';
export { toolName } from './tool-name.ts';
