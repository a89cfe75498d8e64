import { fileURLToPath } from 'node:url';

/** What checks `deploy/` and takes programs that Node.js does not bring: `npm run check:deploy`, `npm run test:container`. */

/** @type {import('jest').Config} */
const shared = {
  rootDir: fileURLToPath(new URL('..', import.meta.url)),
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
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
