import { join } from 'node:path';
import { project } from '../jest.config.mjs';

const rootDir = join(import.meta.dirname, '..');

/**
 * `npm run check -- deploy` and `npm run e2e -- container`: tests that need programs besides Node.js.
 *
 * @type {import('jest').Config}
 */
export default {
  maxWorkers: 1,
  testTimeout: 120_000,
  projects: [
    { ...project('deploy', '*.deploy.test.ts'), rootDir },
    { ...project('container', '*.container.test.ts'), rootDir },
  ],
};
