import { alerts } from '@action-platform/observability';
import { expect, test } from '@jest/globals';
import { alwaysFiring, failures } from './failures.ts';

test('each alert has exactly one failure, or always fires', () => {
  const caused = failures.flat().map(({ alert }) => alert);
  expect([...caused, ...alwaysFiring].toSorted()).toEqual(alerts.toSorted());
});
