import { afterEach, expect, jest, test } from '@jest/globals';
import { decodeRedelivery, encodeRedelivery, Undelivered } from './redelivery.ts';

const answer = (bytes: number) => ({ body: Buffer.alloc(bytes), headers: {} });

test('a replica announces its requests in progress and its latest answers, and forgets the oldest', () => {
  const undelivered = new Undelivered();
  for (let n = 0; n < 300; n++) undelivered.keep(`answered.${n}`, answer(10));
  expect(undelivered.get('answered.0')).toBeUndefined();
  expect(undelivered.get('answered.299')).toEqual(answer(10));
  const subjects = undelivered.subjects(['in.progress']);
  expect(subjects).toHaveLength(256);
  expect(subjects.slice(0, 2)).toEqual(['in.progress', 'answered.299']);
});

test('a replica keeps answers up to a limit of bytes', () => {
  const undelivered = new Undelivered();
  for (let n = 0; n < 10; n++) undelivered.keep(`answered.${n}`, answer(256 * 1024));
  expect(undelivered.subjects()).toEqual(['answered.9', 'answered.8', 'answered.7', 'answered.6']);
});

afterEach(() => {
  jest.useRealTimers();
});

test('a replica drops an answer after the longest timeout of a caller', () => {
  jest.useFakeTimers();
  const undelivered = new Undelivered();
  undelivered.keep('first', answer(10));
  jest.advanceTimersByTime(10_000);
  undelivered.keep('second', answer(10));
  expect(undelivered.get('first')).toEqual(answer(10));
  jest.advanceTimersByTime(5_000);
  expect([undelivered.get('first'), undelivered.get('second')]).toEqual([undefined, answer(10)]);
  jest.advanceTimersByTime(10_000);
  expect([undelivered.get('second'), jest.getTimerCount()]).toEqual([undefined, 0]);
});

test('a replaced answer frees its bytes', () => {
  const undelivered = new Undelivered();
  for (let n = 0; n < 10; n++) undelivered.keep('the same', answer(256 * 1024));
  undelivered.keep('another', answer(10));
  expect(undelivered.subjects()).toEqual(['another', 'the same']);
});

test('a redelivery goes to the reply subject of its request', () => {
  const undelivered = new Undelivered();
  undelivered.redirect('before', 'now');
  expect(undelivered.subjectFor('before')).toBe('now');
  undelivered.forget('before');
  expect(undelivered.subjectFor('before')).toBe('before');
});

test('decoding a request for redelivery gives the encoded reply subject, and refuses any other message', () => {
  const read = (text: string) => decodeRedelivery(Buffer.from(text));
  expect(read(encodeRedelivery('a.b'))).toBe('a.b');
  for (const text of ['', 'null', '["a"]', '{"redeliver":1}', '{']) expect(read(text)).toBeUndefined();
});
