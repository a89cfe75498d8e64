import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Party } from './party.ts';
import { Places } from './places.ts';

const party = (workspace: string, caller = workspace): Party => ({ workspace, caller });

/** Takes places for a party until there are none for it; how many it got. */
function takeAll(places: Places, who: Party, service?: string): number {
  let taken = 0;
  while (places.take(who, service)) taken++;
  return taken;
}

describe('places are shared so that', () => {
  test.each([
    [1, 1],
    [8, 8],
    [512, 449],
  ])('of %p places one alone gets %p', (capacity, expected) => {
    expect(takeAll(new Places(capacity), party('a'))).toBe(expected);
  });

  test('a Workspace that holds all it may leaves room for another one, and for a third', () => {
    const places = new Places(512);
    takeAll(places, party('a'));
    expect(takeAll(places, party('b'))).toBeGreaterThan(40);
    expect(takeAll(places, party('c'))).toBeGreaterThan(0);
  });

  test('a caller who holds all it may leaves room for another one of the same Workspace', () => {
    const places = new Places(512);
    takeAll(places, party('a', 'greedy'));
    expect(takeAll(places, party('a', 'modest'))).toBeGreaterThan(3);
  });

  test('a service that does not answer leaves room for calls of the others', () => {
    const places = new Places(512);
    for (let i = 0; i < 1_000; i++) places.take(party(`ws_${i}`), 'mail');
    expect(places.take(party('ws_other'), 'mail')).toBe(false);
    expect(places.take(party('ws_other'), 'record-store')).toBe(true);
  });

  test('a Workspace that holds all it may at one service leaves room for another one there', () => {
    const places = new Places(512);
    for (const caller of ['one', 'two', 'three', 'four']) takeAll(places, party('greedy', caller), 'mail');
    expect(takeAll(places, party('modest'), 'mail')).toBeGreaterThan(20);
  });

  test('what is given back can be taken again, and nothing is left of who has left', () => {
    const places = new Places(512);
    const held = takeAll(places, party('a'), 'mail');
    for (let i = 0; i < held; i++) places.leave(party('a'), 'mail');
    expect(places.taken).toBe(0);
    expect(takeAll(places, party('a'), 'mail')).toBe(held);
  });

  test('when fewer may be taken than are, only those who hold too many have to go', () => {
    let limit = 512;
    const places = new Places(512, () => limit);
    takeAll(places, party('a'));
    limit = 32;
    expect(places.hasRoom(party('a'))).toBe(false);
    expect(takeAll(places, party('a', 'modest'))).toBeGreaterThan(0);
    expect(takeAll(places, party('b'))).toBeGreaterThan(8);
    expect(takeAll(places, party('b', 'modest'))).toBeGreaterThan(0);
  });

  test('whoever holds the least of all finds a place as long as one is free', () => {
    const workspaces = fc.integer({ min: 0, max: 20 }).map((n) => party(`ws_${n}`));
    fc.assert(
      fc.property(
        fc.array(fc.record({ who: workspaces, isLeaving: fc.boolean() }), { maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        (steps, capacity) => {
          const places = new Places(capacity);
          const held: Party[] = [];
          for (const { who, isLeaving } of steps) {
            const at = held.findIndex(({ workspace }) => workspace === who.workspace);
            if (isLeaving && at >= 0) places.leave(held.splice(at, 1)[0]!);
            else if (places.take(who)) held.push(who);
            expect(places.taken).toBe(held.length);
            expect(held.length).toBeLessThanOrEqual(capacity);
            expect(places.hasRoom(party('newcomer'))).toBe(held.length < capacity);
          }
        },
      ),
    );
  });
});
