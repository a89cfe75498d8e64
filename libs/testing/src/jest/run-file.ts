import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import type { TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import { addEventHandler, type Event, getState, resetState, run } from 'jest-circus';
import { testResult } from './test-result.ts';

const globals = new URL('globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globals, shortCircuit: true } : next(specifier, context),
});
addEventHandler(followTest);

/**
 * Jest's `testRunner`: runs one test file with jest-circus on modules that Node.js loads, and loads once for all test files of a
 * worker. Jest loads every module again for each file in a context of its own, which takes longer than most tests.
 */
export default async function runFile(
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  _environment: unknown,
  _runtime: unknown,
  testPath: string,
): Promise<TestResult> {
  resetState();
  const state = getState();
  state.testTimeout = globalConfig.testTimeout ?? state.testTimeout;
  if (globalConfig.testNamePattern) state.testNamePattern = new RegExp(globalConfig.testNamePattern, 'i');
  jestExpect.setState({ expand: globalConfig.expand, testPath });
  process.setUncaughtExceptionCaptureCallback(failTest);
  try {
    await import(pathToFileURL(testPath).href);
    return testResult(await run(), globalConfig, config, testPath);
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

/** An error that nothing catches fails the test that runs, or else the file. */
function failTest(error: unknown): void {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error as Error);
}

/** Passes the name of each test to `expect`, and the assertions that `expect` missed to the test. */
function followTest(event: Event): void {
  if (event.name === 'test_start') {
    jestExpect.setState({ currentTestName: event.test.name });
  } else if (event.name === 'test_done') {
    event.test.errors.push(...jestExpect.getState().suppressedErrors);
    jestExpect.setState({ suppressedErrors: [] });
    event.test.errors.push(...jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error));
  }
}
