import { join } from 'node:path';
import suite, { project } from '../jest.config.mjs';

const rootDir = join(import.meta.dirname, '..');
const ofMail = 'mail/src/{accounts,authorizations,providers,routes}';
const ofAdapters = `services/{knowledge/src/sources,${ofMail}}/**/*.{service.test,check}.ts`;

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
    { ...project('checks', '*.check.ts'), rootDir },
    { ...project('adapters', ofAdapters), rootDir },
  ],
};
