import suite from './jest.config.mjs';

const [shared] = suite.projects;

/**
 * What takes too long for every run of the tests: `*.check.ts`, each with a command of its own.
 *
 * @type {import('jest').Config}
 */
export default {
  ...suite,
  projects: [{ ...shared, displayName: 'check', testMatch: ['**/*.check.ts'] }],
};
