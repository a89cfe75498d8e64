import { alerts } from '@action-platform/observability';
import { expect, test } from '@jest/globals';
import { failures } from './failures.ts';

test('each alert has exactly one failure', () => {
  const caused = failures.flat().map(({ alert }) => alert);
  expect(caused.toSorted()).toEqual(alerts.toSorted());
});
