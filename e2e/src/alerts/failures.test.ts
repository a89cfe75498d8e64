import { alerts } from '@action-platform/observability';
import { expect, test } from '@jest/globals';
import { alwaysFiring, failures } from './failures.ts';

test('each alert has a failure, at most one of a group, or always fires', () => {
  const caused = new Set(failures.flat().map(({ alert }) => alert));
  for (const group of failures) expect(new Set(group.map(({ alert }) => alert)).size).toBe(group.length);
  expect([...caused, ...alwaysFiring].toSorted()).toEqual(alerts.toSorted());
});
