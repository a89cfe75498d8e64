import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { FairnessKey } from './fairness-key.ts';

const fairnessKey = (workspace: string, caller = workspace): FairnessKey => ({ workspace, caller });

/** Takes units for a fairness key until the limiter refuses; returns their number. */
function takeAll(places: ConcurrencyLimiter, who: FairnessKey, service?: string): number {
  let taken = 0;
  while (places.take(who, service)) taken++;
  return taken;
}

describe('the limit is shared so that', () => {
  test.each([
    [1, 1],
    [8, 8],
    [512, 449],
  ])('of %p places one alone gets %p', (capacity, expected) => {
    expect(takeAll(new ConcurrencyLimiter(capacity), fairnessKey('a'))).toBe(expected);
  });

  test('a Workspace with its full share leaves capacity for a second and a third', () => {
    const places = new ConcurrencyLimiter(512);
    takeAll(places, fairnessKey('a'));
    expect(takeAll(places, fairnessKey('b'))).toBeGreaterThan(40);
    expect(takeAll(places, fairnessKey('c'))).toBeGreaterThan(0);
  });

  test('a caller with its full share leaves room for another one of the same Workspace', () => {
    const places = new ConcurrencyLimiter(512);
    takeAll(places, fairnessKey('a', 'greedy'));
    expect(takeAll(places, fairnessKey('a', 'modest'))).toBeGreaterThan(3);
  });

  test('a service that does not answer leaves room for calls of the others', () => {
    const places = new ConcurrencyLimiter(512);
    for (let i = 0; i < 1_000; i++) places.take(fairnessKey(`ws_${i}`), 'mail');
    expect(places.take(fairnessKey('ws_other'), 'mail')).toBe(false);
    expect(places.take(fairnessKey('ws_other'), 'record-store')).toBe(true);
  });

  test('a Workspace with its full share at one service leaves room for another one there', () => {
    const places = new ConcurrencyLimiter(512);
    for (const caller of ['one', 'two', 'three', 'four'])
      takeAll(places, fairnessKey('greedy', caller), 'mail');
    expect(takeAll(places, fairnessKey('modest'), 'mail')).toBeGreaterThan(20);
  });

  test('a released amount can be taken again, and a key without any takes no memory', () => {
    const places = new ConcurrencyLimiter(512);
    const held = takeAll(places, fairnessKey('a'), 'mail');
    for (let i = 0; i < held; i++) places.leave(fairnessKey('a'), 'mail');
    expect(places.taken).toBe(0);
    expect(takeAll(places, fairnessKey('a'), 'mail')).toBe(held);
  });

  test('one key alone gets nearly all bytes, and a newcomer finds room for a large amount', () => {
    const bytes = new ConcurrencyLimiter(24_000);
    let taken = 0;
    while (bytes.take(fairnessKey('greedy'), '', 590)) taken += 590;
    expect(taken).toBeGreaterThan(20_000);
    expect(bytes.take(fairnessKey('greedy', 'modest'), '', 10)).toBe(true);
    expect(bytes.take(fairnessKey('modest'), '', 2_000)).toBe(true);
    expect(bytes.take(fairnessKey('modest'), '', 2_000)).toBe(false);
    for (; taken > 0; taken -= 59) bytes.leave(fairnessKey('greedy'), '', 59);
    expect(bytes.taken).toBe(2_010);
  });

  test('below the amount taken, the limit refuses only holders of large shares', () => {
    let limit = 512;
    const places = new ConcurrencyLimiter(512, () => limit);
    takeAll(places, fairnessKey('a'));
    limit = 32;
    expect(places.hasRoom(fairnessKey('a'))).toBe(false);
    expect(takeAll(places, fairnessKey('a', 'modest'))).toBeGreaterThan(0);
    expect(takeAll(places, fairnessKey('b'))).toBeGreaterThan(8);
    expect(takeAll(places, fairnessKey('b', 'modest'))).toBeGreaterThan(0);
  });

  test('a newcomer finds room among many that hold one each, though the limit is below the amount taken', () => {
    let limit = 512;
    const places = new ConcurrencyLimiter(512, () => limit);
    for (let i = 0; i < 450; i++) places.take(fairnessKey(`ws_${i}`));
    limit = 32;
    expect(places.take(fairnessKey('newcomer'))).toBe(true);
  });

  test('the holder of the least finds room as long as any is free', () => {
    const workspaces = fc.integer({ min: 0, max: 20 }).map((n) => fairnessKey(`ws_${n}`));
    fc.assert(
      fc.property(
        fc.array(fc.record({ who: workspaces, isLeaving: fc.boolean() }), { maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        (steps, capacity) => {
          const places = new ConcurrencyLimiter(capacity);
          const held: FairnessKey[] = [];
          for (const { who, isLeaving } of steps) {
            const at = held.findIndex(({ workspace }) => workspace === who.workspace);
            if (isLeaving && at >= 0) places.leave(held.splice(at, 1)[0]!);
            else if (places.take(who)) held.push(who);
            expect(places.taken).toBe(held.length);
            expect(held.length).toBeLessThanOrEqual(capacity);
            expect(places.hasRoom(fairnessKey('newcomer'))).toBe(held.length < capacity);
          }
        },
      ),
    );
  });
});
