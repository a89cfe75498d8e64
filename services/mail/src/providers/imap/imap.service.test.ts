import { describe } from '@jest/globals';
import { sendEmailSuite } from '../../operations/send-email.suite.ts';
import { killedSuite } from '../../submissions/killed.suite.ts';
import { submissionsSuite } from '../../submissions/submissions.suite.ts';
import { dovecotCounterpart } from '../../test-support/dovecot-counterpart.ts';
import { describeOnDovecot } from '../../test-support/test-dovecot.ts';

describeOnDovecot('mail.send_email with IMAP', () => {
  describe('rules', () => sendEmailSuite(dovecotCounterpart()));
  describe('keys', () => submissionsSuite(dovecotCounterpart()));
  describe('a killed process', () => killedSuite(dovecotCounterpart()));
});
