import { expect, test } from '@jest/globals';
import { InFlight } from './in-flight.ts';

test('calls are counted in all and for each Workspace, up to the limit in all', () => {
  const inFlight = new InFlight(3);
  expect([inFlight.enter('a'), inFlight.enter('a'), inFlight.enter(undefined)]).toEqual([true, true, true]);
  expect(inFlight.enter('b')).toBe(false);
  expect([inFlight.count, inFlight.countOf('a'), inFlight.countOf('b')]).toEqual([3, 2, 0]);
  inFlight.leave('a');
  expect(inFlight.enter('b')).toBe(true);
  for (const workspace of ['a', 'b', undefined]) inFlight.leave(workspace);
  expect([inFlight.count, inFlight.countOf('a'), inFlight.countOf('b')]).toEqual([0, 0, 0]);
});
