import { alerts } from '@action-platform/observability';
import { expect, test } from '@jest/globals';
import { failures } from './failures.ts';

test('there is a failure for each alert, and one alone', () => {
  const caused = failures.flat().map(({ alert }) => alert);
  expect(caused.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
});
