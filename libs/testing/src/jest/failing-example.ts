import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

/** Run by run-file.test.ts: tests that end in each way. */
test('passes', () => expect(1).toBe(1));
test('fails', () => expect(1).toBe(2));
test('hangs', () => new Promise(() => {}), 50);
test('throws outside of its promise', async () => {
  setImmediate(() => {
    throw new Error('thrown');
  });
  await delay(10);
});
test('leaves a rejection', async () => {
  void Promise.reject(new Error('rejected'));
  await delay(10);
});
test('makes fewer assertions than it says', () => expect.assertions(1));
test.skip('is skipped', () => {});
test.each([1, 2])('takes the value %i', (value) => expect(value).toBe(value));
describe('a block whose set-up fails', () => {
  beforeAll(() => {
    throw new Error('no set-up');
  });
  test('fails too', () => {});
});
describe('a block whose teardown fails', () => {
  afterAll(() => {
    throw new Error('no teardown');
  });
  test('passes inside', () => {});
});
