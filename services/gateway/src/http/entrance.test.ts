import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Entrance, type Room } from './entrance.ts';

/** An entrance, and how many have come in by it. */
function entrance(room: () => Room = () => 'many') {
  const inside: Socket[] = [];
  return { inside, entrance: new Entrance((socket) => void inside.push(socket), room) };
}

const sockets = (count: number) => Array.from({ length: count }, () => new Socket());

test('all callers of a gateway that has just been started come in within a few turns, in order', async () => {
  const { inside, entrance: door } = entrance();
  const callers = sockets(1_000);
  for (const each of callers) door.arrive(each);
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(inside.length).toBe(callers.length);
  expect(inside.every((each, index) => each === callers[index])).toBe(true);
});

test('while they do not stop coming, few come in between two turns', async () => {
  const { inside, entrance: door } = entrance();
  for (const each of sockets(2_000)) door.arrive(each);
  while (inside.length < 2_000) await setImmediate();
  for (const each of sockets(500)) door.arrive(each);
  // What is left of the haste, first.
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  const before = inside.length;
  expect(before).toBeLessThan(2_500);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(inside.length - before).toBeLessThanOrEqual(10 * 3);
  expect(inside.length).toBeGreaterThan(before);
});

test('few come in as long as those before them are not known', async () => {
  let room: Room = 'few';
  const { inside, entrance: door } = entrance(() => room);
  for (const each of sockets(500)) door.arrive(each);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(inside.length).toBeLessThanOrEqual(11 * 2);
  room = 'many';
  for (let turn = 0; turn < 15; turn++) await setImmediate();
  expect(inside.length).toBe(500);
});

test('nobody comes in while there is no room, and all who wait when there is', async () => {
  let room: Room = 'none';
  const { inside, entrance: door } = entrance(() => room);
  for (const each of sockets(100)) door.arrive(each);
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(inside).toEqual([]);
  room = 'many';
  while (inside.length < 100) await setImmediate();
});

test('who finds too many waiting is sent away, and nobody waits when it is opened wide', () => {
  const { inside, entrance: door } = entrance(() => 'few');
  const callers = sockets(3_000);
  for (const each of callers) door.arrive(each);
  const sentAway = callers.filter(({ destroyed }) => destroyed);
  expect(sentAway.length).toBeGreaterThan(0);
  expect(sentAway).toEqual(callers.slice(-sentAway.length));
  door.openWide();
  expect(inside.length + sentAway.length).toBe(callers.length);
});
