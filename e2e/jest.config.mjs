import { join } from 'node:path';
import suite from '../jest.config.mjs';

const rootDir = join(import.meta.dirname, '..');
const [project] = suite.projects ?? [];
if (project === undefined || typeof project === 'string') throw new Error('jest.config.mjs has no projects');
const ofMail = 'mail/src/{accounts,authorizations,providers,routes}';

/**
 * The tests of `npm run e2e`: those that take too long for every `npm test`, `*.check.ts`; and for its suite `adapters` those of the
 * folders that call servers of other makers, or have their secrets.
 *
 * @type {import('jest').Config}
 */
export default {
  ...suite,
  rootDir,
  projects: [
    { ...project, displayName: 'checks', rootDir, testMatch: ['**/*.check.ts'] },
    {
      ...project,
      displayName: 'adapters',
      rootDir,
      testMatch: [`**/services/{knowledge/src/sources,${ofMail}}/**/*.{service.test,check}.ts`],
      testPathIgnorePatterns: ['/node_modules/', '/.local/'],
    },
  ],
};
