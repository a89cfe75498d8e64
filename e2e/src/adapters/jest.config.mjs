import { join } from 'node:path';
import suite from '../../../jest.config.mjs';

const rootDir = join(import.meta.dirname, '../../..');
const [project] = suite.projects ?? [];
if (project === undefined || typeof project === 'string') throw new Error('jest.config.mjs has no projects');

/**
 * The tests of `npm run e2e -- adapters`: those of the folders that call servers of other makers, or have their secrets.
 *
 * @type {import('jest').Config}
 */
export default {
  ...suite,
  rootDir,
  projects: [
    {
      ...project,
      displayName: 'adapters',
      rootDir,
      testMatch: [
        '**/services/{knowledge/src/sources,mail/src/{accounts,authorizations,providers,routes}}/**/*.{service.test,check}.ts',
      ],
      testPathIgnorePatterns: ['/node_modules/', '/.local/'],
    },
  ],
};
