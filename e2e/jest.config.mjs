import { join } from 'node:path';
import suite from '../jest.config.mjs';

const rootDir = join(import.meta.dirname, '..');
const [project] = suite.projects ?? [];
if (project === undefined || typeof project === 'string') throw new Error('jest.config.mjs has no projects');

/**
 * The tests of `npm run e2e`, which take too long for every `npm test`: `*.check.ts`.
 *
 * @type {import('jest').Config}
 */
export default {
  ...suite,
  rootDir,
  projects: [{ ...project, displayName: 'e2e', rootDir, testMatch: ['**/*.check.ts'] }],
};
