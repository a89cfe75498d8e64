import { describe } from '@jest/globals';
import { graphCounterpart } from '../../test-support/graph/graph-counterpart.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';

describe('mail.send_email with Microsoft Graph', () => {
  describe('rules', () => sendEmailSuite(graphCounterpart()));
  describe('keys', () => submissionsSuite(graphCounterpart()));
});
