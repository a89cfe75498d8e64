import { undocumentedVariables } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { eventsConfig } from './config.ts';

test('the configuration of the events service is documented', () => {
  expect(undocumentedVariables(eventsConfig)).toEqual([]);
});
