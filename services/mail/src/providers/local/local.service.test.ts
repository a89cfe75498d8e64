import { describe, expect, test } from '@jest/globals';
import { localFixture } from '../../test-support/local-fixture.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';
import { TestMail } from '../../test-support/test-mail.ts';

describe('mail.send_email with the local provider', () => {
  describe('rules', () => sendEmailSuite(localFixture()));
  describe('keys', () => submissionsSuite(localFixture()));
});

test('of concurrent calls with one key, all answer with the draft that one of them makes', async () => {
  const mail = new TestMail();
  try {
    await mail.startTwo();
    const member = await mail.member();
    const calls = Array.from({ length: 12 }, () => mail.send(member, { idempotency_key: 'key-1' }));
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]!.result.status).toBe('drafted');
  } finally {
    await mail.stop();
  }
});
