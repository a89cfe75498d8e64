import { undocumentedVariables } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { mailConfig } from './config.ts';

test('the configuration of the mail service is documented', () => {
  expect(undocumentedVariables(mailConfig)).toEqual([]);
});
