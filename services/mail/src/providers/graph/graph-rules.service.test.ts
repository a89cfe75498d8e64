import { describe } from '@jest/globals';
import { graphFixture } from '../../test-support/graph/graph-fixture.ts';
import { sendEmailSuite } from '../../test-support/send-email.suite.ts';
import { submissionsSuite } from '../../test-support/submissions.suite.ts';

describe('mail.send_email with Microsoft Graph', () => {
  describe('rules', () => sendEmailSuite(graphFixture()));
  describe('keys', () => submissionsSuite(graphFixture()));
});
