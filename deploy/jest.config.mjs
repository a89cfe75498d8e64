import { fileURLToPath } from 'node:url';

/** `npm run check -- deploy` and `npm run e2e -- container`: tests that need programs besides Node.js. */

/** @type {import('jest').Config} */
const shared = {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testEnvironment: 'node',
  transform: {},
  testRunner: '<rootDir>/libs/testing/src/jest/run-file.ts',
};

/** @type {import('jest').Config} */
export default {
  maxWorkers: 1,
  testTimeout: 120_000,
  projects: [
    { ...shared, displayName: 'deploy', testMatch: ['**/*.deploy.test.ts'] },
    { ...shared, displayName: 'container', testMatch: ['**/*.container.test.ts'] },
  ],
};
