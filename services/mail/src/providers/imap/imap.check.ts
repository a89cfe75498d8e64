import { describe } from '@jest/globals';
import { dovecotFixture } from '../../test-support/dovecot-fixture.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';

describeOnDovecot('mail.send_email with IMAP', () => {
  describe('rules', () => sendEmailSuite(dovecotFixture()));
  describe('keys', () => submissionsSuite(dovecotFixture()));
});
