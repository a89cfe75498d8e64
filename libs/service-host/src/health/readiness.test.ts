import { expect, jest, test } from '@jest/globals';
import { Readiness } from './readiness.ts';

test('the report names missing dependencies; only a needed one makes the process not ready', async () => {
  const readiness = new Readiness();
  readiness.started(async () => ({ needed: [], other: ['mail'] }));
  expect(await readiness.report()).toEqual({ isReady: true, status: 'ok', missing: ['mail'] });
  readiness.started(async () => ({ needed: ['grants'], other: ['mail'] }));
  expect(await readiness.report()).toEqual({
    isReady: false,
    status: 'not ready',
    missing: ['grants', 'mail'],
  });
});

test('a process that cannot check its dependencies is not ready', async () => {
  const readiness = new Readiness();
  readiness.started(() => Promise.reject(new Error()));
  expect((await readiness.report()).isReady).toBe(false);
  jest.useFakeTimers();
  readiness.started(() => new Promise(() => {}));
  const report = readiness.report();
  await jest.advanceTimersByTimeAsync(60_000);
  expect((await report).isReady).toBe(false);
  jest.useRealTimers();
});
