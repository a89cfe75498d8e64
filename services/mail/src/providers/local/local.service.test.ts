import { describe } from '@jest/globals';
import { localFixture } from '../../test-support/local-fixture.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';

describe('mail.send_email with the local provider', () => {
  describe('rules', () => sendEmailSuite(localFixture()));
  describe('keys', () => submissionsSuite(localFixture()));
});
