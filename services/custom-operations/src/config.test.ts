import { undocumentedVariables } from '@action-platform/testing';
import { expect, test } from '@jest/globals';
import { customOperationsConfig } from './config.ts';

test('docs/configuration.md lists every variable of the service', () => {
  expect(undocumentedVariables(customOperationsConfig)).toEqual([]);
});
