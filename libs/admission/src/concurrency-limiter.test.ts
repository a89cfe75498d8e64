import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { FairnessKey } from './fairness-key.ts';

const fairnessKey = (workspace: string, caller = workspace): FairnessKey => ({ workspace, caller });

/** Takes units for a fairness key until the limiter refuses; returns their number. */
function takeAll(limiter: ConcurrencyLimiter, key: FairnessKey, service?: string): number {
  let taken = 0;
  while (limiter.take(key, service)) taken++;
  return taken;
}

describe('the limit is shared so that', () => {
  test.each([
    [1, 1],
    [8, 8],
    [512, 449],
  ])('of a capacity of %p one key alone gets %p', (capacity, expected) => {
    expect(takeAll(new ConcurrencyLimiter(capacity), fairnessKey('a'))).toBe(expected);
  });

  test('a Workspace with its full share leaves capacity for a second and a third', () => {
    const limiter = new ConcurrencyLimiter(512);
    takeAll(limiter, fairnessKey('a'));
    expect(takeAll(limiter, fairnessKey('b'))).toBeGreaterThan(40);
    expect(takeAll(limiter, fairnessKey('c'))).toBeGreaterThan(0);
  });

  test('a caller with its full share leaves capacity for another one of the same Workspace', () => {
    const limiter = new ConcurrencyLimiter(512);
    takeAll(limiter, fairnessKey('a', 'greedy'));
    expect(takeAll(limiter, fairnessKey('a', 'modest'))).toBeGreaterThan(3);
  });

  test('a service that does not answer leaves capacity for calls of the others', () => {
    const limiter = new ConcurrencyLimiter(512);
    for (let i = 0; i < 1_000; i++) limiter.take(fairnessKey(`ws_${i}`), 'mail');
    expect(limiter.take(fairnessKey('ws_other'), 'mail')).toBe(false);
    expect(limiter.take(fairnessKey('ws_other'), 'record-store')).toBe(true);
  });

  test('a Workspace with its full share at one service leaves capacity for another one there', () => {
    const limiter = new ConcurrencyLimiter(512);
    for (const caller of ['one', 'two', 'three', 'four'])
      takeAll(limiter, fairnessKey('greedy', caller), 'mail');
    expect(takeAll(limiter, fairnessKey('modest'), 'mail')).toBeGreaterThan(20);
  });

  test('a released amount can be taken again, and a key without any takes no memory', () => {
    const limiter = new ConcurrencyLimiter(512);
    const held = takeAll(limiter, fairnessKey('a'), 'mail');
    for (let i = 0; i < held; i++) limiter.leave(fairnessKey('a'), 'mail');
    expect(limiter.taken).toBe(0);
    expect(takeAll(limiter, fairnessKey('a'), 'mail')).toBe(held);
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
    const limiter = new ConcurrencyLimiter(512, () => limit);
    takeAll(limiter, fairnessKey('a'));
    limit = 32;
    expect(limiter.hasRoom(fairnessKey('a'))).toBe(false);
    expect(takeAll(limiter, fairnessKey('a', 'modest'))).toBeGreaterThan(0);
    expect(takeAll(limiter, fairnessKey('b'))).toBeGreaterThan(8);
    expect(takeAll(limiter, fairnessKey('b', 'modest'))).toBeGreaterThan(0);
  });

  test('a newcomer finds room among many that hold one each, though the limit is below the amount taken', () => {
    let limit = 512;
    const limiter = new ConcurrencyLimiter(512, () => limit);
    for (let i = 0; i < 450; i++) limiter.take(fairnessKey(`ws_${i}`));
    limit = 32;
    expect(limiter.take(fairnessKey('newcomer'))).toBe(true);
  });

  test('the holder of the least finds room as long as any is free', () => {
    const workspaces = fc.integer({ min: 0, max: 20 }).map((n) => fairnessKey(`ws_${n}`));
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: workspaces, isLeaving: fc.boolean() }), { maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        (steps, capacity) => {
          const limiter = new ConcurrencyLimiter(capacity);
          const held: FairnessKey[] = [];
          for (const { key, isLeaving } of steps) {
            const at = held.findIndex(({ workspace }) => workspace === key.workspace);
            if (isLeaving && at >= 0) limiter.leave(held.splice(at, 1)[0]!);
            else if (limiter.take(key)) held.push(key);
            expect(limiter.taken).toBe(held.length);
            expect(held.length).toBeLessThanOrEqual(capacity);
            expect(limiter.hasRoom(fairnessKey('newcomer'))).toBe(held.length < capacity);
          }
        },
      ),
    );
  });
});
