import { describe, expect, test } from '@jest/globals';
import { killedSuite } from '../../test-support/killed.suite.ts';
import { localFixture } from '../../test-support/local-fixture.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';
import { TestMail } from '../../test-support/test-mail.ts';

describe('mail.send_email with the local provider', () => {
  describe('rules', () => sendEmailSuite(localFixture()));
  describe('keys', () => submissionsSuite(localFixture()));
  describe('a killed process', () => killedSuite(localFixture()));
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

test('a draft has no URL unless the folder of drafts is served to callers', async () => {
  const unserved = new TestMail();
  try {
    await unserved.start({});
    const { result } = await unserved.send(await unserved.member());
    expect(result.status).toBe('drafted');
    expect(result).not.toHaveProperty('draft_url');
  } finally {
    await unserved.stop();
  }
});
