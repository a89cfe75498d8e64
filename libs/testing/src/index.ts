export { configurationRows } from './configuration.ts';
export { aMember, anOwner, scheduled, type TestPrincipal } from './principals.ts';
export { startTestBus, type TestBus } from './test-bus.ts';
export { TestIssuer } from './test-issuer.ts';
export { type OperationAnswer, TestPlatform } from './test-platform.ts';
export type { TestProcess } from './test-process.ts';
