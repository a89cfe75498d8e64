import { type AssertionResult, createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus, Config } from '@jest/types';
import { formatResultsErrors } from 'jest-message-util';

/** The result of jest-circus for a test file, in the form of Jest's reporters. */
export function testResult(
  { testResults, unhandledErrors }: Circus.RunResult,
  globalConfig: Config.GlobalConfig,
  config: Config.ProjectConfig,
  testFilePath: string,
): TestResult {
  const results = testResults.map(assertionResult);
  const count = (status: AssertionResult['status']) =>
    results.filter((each) => each.status === status).length;
  const failures = [
    formatResultsErrors(results, config, globalConfig, testFilePath) ?? '',
    ...unhandledErrors,
  ];
  const result = createEmptyTestResult();
  return Object.assign(result, {
    testFilePath,
    testResults: results,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    failureMessage: failures.join('\n\n').trim() || null,
    ...(unhandledErrors.length > 0 && {
      testExecError: { message: '', stack: unhandledErrors.join('\n') },
    }),
  });
}

function assertionResult(result: Circus.TestResult): AssertionResult {
  // The first name is that of the file's root block.
  const [, ...titles] = result.testPath;
  return {
    ancestorTitles: titles.slice(0, -1),
    title: titles.at(-1) ?? '',
    fullName: titles.join(' '),
    status: statusOf(result),
    duration: result.duration ?? null,
    failureDetails: result.errorsDetailed,
    failureMessages: [...result.errors],
    invocations: result.invocations,
    numPassingAsserts: result.numPassingAsserts,
  };
}

function statusOf({ status, errors }: Circus.TestResult): AssertionResult['status'] {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
}
