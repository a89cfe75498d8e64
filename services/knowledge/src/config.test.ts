import { undocumentedVariables } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { knowledgeConfig } from './config.ts';

test('the configuration of the knowledge service is documented', () => {
  expect(undocumentedVariables(knowledgeConfig)).toEqual([]);
});
