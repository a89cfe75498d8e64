import { ExactJson } from '@action-platform/json';
import { expect, test } from '@jest/globals';
import { errorIn } from './message.ts';

test('an error of more than 320 KiB counts, and is not parsed', () => {
  const errorOf = (bytes: number) =>
    errorIn({ error: new ExactJson(JSON.stringify({ code: 1, message: 'm', data: 'x'.repeat(bytes) })) });
  expect(errorOf(300 * 1024)).toEqual({ code: 1, message: 'm' });
  expect(errorOf(320 * 1024)).toEqual({ code: undefined, message: '' });
});
