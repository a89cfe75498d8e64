import { expect, test } from '@jest/globals';
import { MailUnavailable } from '../provider.ts';
import { resultOf } from './session-outcome.ts';
import { meaningOf } from './thread/refusals.ts';

test('a server that throttles for longer than an hour has no capacity, and calls return within an hour', () => {
  const error = meaningOf({ throttleReset: 7_200_000 }, { host: 'imap.example.com', port: 993 });
  const { retryAfterSeconds } = error as MailUnavailable;
  expect(retryAfterSeconds).toBe(3600);
  expect(() => resultOf({ kind: 'mail_unavailable', retryAfterSeconds })).toThrow(MailUnavailable);
});
