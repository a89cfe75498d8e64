import { afterEach, expect, jest, test } from '@jest/globals';
import { RecentAnswers } from './recent-answers.ts';

const answer = (bytes: number) => ({ body: Buffer.alloc(bytes), headers: {} });

test('a replica announces its requests in progress and its latest answers, and forgets the oldest', () => {
  const recentAnswers = new RecentAnswers();
  for (let n = 0; n < 300; n++) recentAnswers.keep(`answered.${n}`, answer(10));
  expect(recentAnswers.get('answered.0')).toBeUndefined();
  expect(recentAnswers.get('answered.299')).toEqual(answer(10));
  const subjects = recentAnswers.subjects(['in.progress']);
  expect(subjects).toHaveLength(256);
  expect(subjects.slice(0, 2)).toEqual(['in.progress', 'answered.299']);
});

test('a replica keeps answers up to a limit of bytes', () => {
  const recentAnswers = new RecentAnswers();
  for (let n = 0; n < 10; n++) recentAnswers.keep(`answered.${n}`, answer(256 * 1024));
  expect(recentAnswers.subjects()).toEqual(['answered.9', 'answered.8', 'answered.7', 'answered.6']);
});

afterEach(() => {
  jest.useRealTimers();
});

test('a replica drops an answer after the longest timeout of a caller', () => {
  jest.useFakeTimers();
  const recentAnswers = new RecentAnswers();
  recentAnswers.keep('first', answer(10));
  jest.advanceTimersByTime(10_000);
  recentAnswers.keep('second', answer(10));
  expect(recentAnswers.get('first')).toEqual(answer(10));
  jest.advanceTimersByTime(5_000);
  expect([recentAnswers.get('first'), recentAnswers.get('second')]).toEqual([undefined, answer(10)]);
  jest.advanceTimersByTime(10_000);
  expect([recentAnswers.get('second'), jest.getTimerCount()]).toEqual([undefined, 0]);
});

test('a replaced answer frees its bytes', () => {
  const recentAnswers = new RecentAnswers();
  for (let n = 0; n < 10; n++) recentAnswers.keep('the same', answer(256 * 1024));
  recentAnswers.keep('another', answer(10));
  expect(recentAnswers.subjects()).toEqual(['another', 'the same']);
});
