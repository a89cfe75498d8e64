import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const rootDir = join(import.meta.dirname, '../../../..');
const config = JSON.stringify({
  rootDir,
  transform: {},
  testMatch: ['**/failing-example.ts'],
  testRunner: '<rootDir>/libs/testing/src/jest/run-file.ts',
});

/** Jest's report on the example. */
async function report(...options: string[]) {
  const jest = join(rootDir, 'node_modules/jest/bin/jest.js');
  const args = [jest, '--config', config, '--json', '--silent', ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: rootDir }).catch(
    (error) => error,
  );
  const { testResults } = JSON.parse(stdout);
  const tests: { fullName: string; status: string; failureMessages: string[] }[] =
    testResults[0].assertionResults;
  return {
    status: testResults[0].status,
    message: testResults[0].message,
    tests: tests
      .filter(({ status }) => status !== 'pending')
      .map(({ fullName, status, failureMessages: [why] }) => [fullName, status, why?.split('\n')[0]]),
  };
}

test('a test fails for an assertion, its time limit, stray errors, missing assertions and its set-up', async () => {
  const { status, message, tests } = await report();
  expect(tests).toEqual([
    ['passes', 'passed', undefined],
    ['fails', 'failed', expect.stringContaining('toBe')],
    ['hangs', 'failed', expect.stringContaining('Exceeded timeout of 50 ms')],
    ['throws outside of its promise', 'failed', 'Error: thrown'],
    ['leaves a rejection', 'failed', 'Error: rejected'],
    ['makes fewer assertions than it says', 'failed', expect.stringContaining('expect.assertions(1)')],
    ['takes the value 1', 'passed', undefined],
    ['takes the value 2', 'passed', undefined],
    ['a block whose set-up fails fails too', 'failed', 'Error: no set-up'],
    ['a block whose teardown fails passes inside', 'passed', undefined],
  ]);
  expect(status).toBe('failed');
  expect(message).toContain('Error: no teardown');
});

test('a pattern chooses tests by their names', async () => {
  expect((await report('--testNamePattern', 'takes the value 2')).tests).toEqual([
    ['takes the value 2', 'passed', undefined],
  ]);
});
