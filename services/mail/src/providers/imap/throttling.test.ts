import { expect, test } from '@jest/globals';
import { ScriptedImap } from '../../test-support/scripted-imap.ts';
import { MailUnavailable } from '../provider.ts';
import { imapProvider } from './imap-provider.ts';
import { resultOf } from './session-outcome.ts';
import { meaningOf } from './thread/refusals.ts';

test('a server that throttles for longer than an hour has no capacity, and calls return within an hour', () => {
  const error = meaningOf({ throttleReset: 7_200_000 }, { host: 'imap.example.com', port: 993 });
  const { retryAfterSeconds } = error as MailUnavailable;
  expect(retryAfterSeconds).toBe(3600);
  expect(() => resultOf({ kind: 'mail_unavailable', retryAfterSeconds })).toThrow(MailUnavailable);
});

test('a server that throttles a draft means that nothing was done, and its pause is told at once', async () => {
  const server = await ScriptedImap.started();
  const refusal = 'BAD Request is throttled. Suggested Backoff Time: 92415 milliseconds';
  server.script = (asked) => (asked.startsWith('APPEND') ? { refusal } : undefined);
  const from = { name: 'Ada', address: 'ada@example.com' };
  const message = { marker: 'ab12', from, to: [], cc: [], subject: '', body: '', date: new Date(0) };
  const creation = imapProvider.createDraft(server.account, message, AbortSignal.timeout(10_000));
  const error = await creation.catch((refused: Error) => refused);
  server.stop();
  expect(error).toBeInstanceOf(MailUnavailable);
  expect(error).toMatchObject({ retryAfterSeconds: 93 });
});
