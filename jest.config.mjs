import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
const shared = {
  testEnvironment: 'node',
  // Node.js loads the modules and strips the types, so tests run what production runs.
  transform: {},
  testRunner: '<rootDir>/libs/testing/src/jest/run-file.ts',
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
};
// Those of docs/clients have a runner, and packages, of their own.
const ignored = ['/node_modules/', '/.local/', '/docs/clients/'];

/** @type {import('jest').Config} */
export default {
  // The servers and services under test need processors too; but a worker mostly waits for them.
  maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
  testTimeout: 60_000,
  // A worker has nothing open when it ends, but on a busy machine its process takes more than Jest's 500 ms to release its memory.
  workerGracefulExitTimeout: 10_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.ts'],
      testPathIgnorePatterns: [...ignored, '\\.(service|stack|deploy|container)\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'service',
      testMatch: ['**/*.service.test.ts'],
      testPathIgnorePatterns: ignored,
    },
    {
      ...shared,
      displayName: 'stack',
      testMatch: ['**/*.stack.test.ts'],
      testPathIgnorePatterns: ignored,
    },
  ],
};
