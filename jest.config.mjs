import { availableParallelism } from 'node:os';

/**
 * A kind of tests by the names of its files. The tests of docs/clients have a runner, and packages, of their own.
 *
 * @type {(displayName: string, names: string, ...ignored: string[]) => import('jest').Config}
 */
export const project = (displayName, names, ...ignored) => ({
  displayName,
  testMatch: [`**/${names}`],
  testPathIgnorePatterns: ['/node_modules/', '/.local/', '/docs/clients/', ...ignored],
  testEnvironment: 'node',
  // Node.js loads the modules and strips the types, so tests run what production runs.
  transform: {},
  testRunner: '<rootDir>/libs/testing/src/jest/run-file.ts',
  globalSetup: '<rootDir>/libs/testing/src/jest/global-setup.ts',
  globalTeardown: '<rootDir>/libs/testing/src/jest/global-teardown.ts',
});

/** @type {import('jest').Config} */
export default {
  // The servers and services under test need processors too; but a worker mostly waits for them.
  maxWorkers: Math.max(4, Math.floor(availableParallelism() / 2)),
  testTimeout: 60_000,
  // A worker has nothing open when it ends, but on a busy machine its process takes more than Jest's 500 ms to release its memory.
  workerGracefulExitTimeout: 10_000,
  projects: [
    project('unit', '*.test.ts', '\\.(service|stack|deploy|container)\\.test\\.ts$'),
    project('service', '*.service.test.ts'),
    project('stack', '*.stack.test.ts'),
  ],
};
