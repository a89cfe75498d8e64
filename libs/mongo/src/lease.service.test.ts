import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts/calls';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import { Lease, type Repeated, type StoredLease } from './lease.ts';

interface Job {
  readonly _id: string;
  readonly isDone: boolean;
  readonly lease?: StoredLease;
}

let database: Database;
let jobs: Collection<Job>;
beforeAll(async () => {
  database = await openTestDatabase('lease');
  jobs = database.db.collection('jobs');
});
afterAll(async () => {
  await database.close();
});

let id: string;
beforeEach(async () => {
  id = randomUUID();
  await jobs.insertOne({ _id: id, isDone: false });
});

/** A lease on the job while it is not done. */
function leaseOf(owner: string, repeated?: Repeated): Lease<Job> {
  return new Lease(jobs, {
    filter: { _id: id, isDone: false },
    owner,
    durationMs: 60_000,
    ...(repeated && { repeated }),
  });
}

/** Ends the time of the lease. */
async function expire(): Promise<void> {
  await jobs.updateOne({ _id: id }, { $set: { 'lease.until': new Date(0) } });
}

describe('a lease', () => {
  test('is taken by one of several concurrent owners', async () => {
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => leaseOf(owner).take(inBackground)));
    expect(taken.filter((each) => each !== undefined)).toEqual(['first']);
  });

  test('is taken over after its time, and then its first owner can no longer confirm it', async () => {
    const [first, second] = [leaseOf('a'), leaseOf('b')];
    expect(await first.take(inBackground)).toBe('first');
    expect(await second.take(inBackground)).toBeUndefined();
    await expire();
    expect(await second.take(inBackground)).toBe('again');
    expect(await first.confirm(inBackground)).toBe(false);
    expect(await second.confirm(inBackground)).toBe(true);
  });

  test('has its whole time again after it is confirmed', async () => {
    const [first, second] = [leaseOf('a'), leaseOf('b')];
    await first.take(inBackground);
    await expire();
    expect(await first.confirm(inBackground)).toBe(true);
    expect(await second.take(inBackground)).toBeUndefined();
  });

  test('can neither be taken nor confirmed when the work is done', async () => {
    const lease = leaseOf('a');
    await lease.take(inBackground);
    await jobs.updateOne({ _id: id }, { $set: { isDone: true } });
    expect(await lease.confirm(inBackground)).toBe(false);
    await expire();
    expect(await leaseOf('b').take(inBackground)).toBeUndefined();
  });
});

describe('an attempt of repeated work', () => {
  const interrupted: number[] = [];
  const repeated = { longestMs: 200_000, onInterrupted: (failures: number) => interrupted.push(failures) };
  beforeEach(() => {
    interrupted.length = 0;
  });

  /** For how many minutes of 60 seconds the lease is taken, from now on. */
  async function minutesTaken(): Promise<number> {
    const [{ left } = { left: 0 }] = await jobs
      .aggregate<{ left: number }>([
        { $match: { _id: id } },
        { $project: { left: { $subtract: ['$lease.until', '$$NOW'] } } },
      ])
      .toArray();
    return left / 60_000;
  }

  test('that ends its process is found by the next one, and has each one after it wait longer', async () => {
    const waits: number[] = [];
    for (const owner of ['a', 'b', 'c', 'd']) {
      await leaseOf(owner, repeated).take(inBackground);
      waits.push(Math.round(await minutesTaken()));
      await expire();
    }
    expect(interrupted).toEqual([1, 2, 3]);
    expect(waits).toEqual([1, 2, 3, 3]);
  });

  test('that fails has each one after it wait longer, until one succeeds', async () => {
    const waits: number[] = [];
    for (const owner of ['a', 'b', 'c']) {
      const lease = leaseOf(owner, repeated);
      await lease.take(inBackground);
      await lease.fail({ firstMs: 60_000, longestMs: 200_000 }, inBackground);
      waits.push(Math.round(await minutesTaken()));
      expect(await leaseOf('other', repeated).take(inBackground)).toBeUndefined();
      await expire();
    }
    const last = leaseOf('d', repeated);
    await last.take(inBackground);
    expect(last.failures).toBe(3);
    await last.end(inBackground);
    const next = leaseOf('e', repeated);
    expect([await next.take(inBackground), next.failures]).toEqual(['again', 0]);
    expect(waits).toEqual([1, 2, 3]);
    expect(interrupted).toEqual([]);
  });

  test('of the version before, which marks none as begun, is no failure', async () => {
    const former = { owner: 'former', until: new Date(0) };
    await leaseOf('a', repeated).take(inBackground);
    await jobs.updateOne({ _id: id }, [{ $set: { lease: former } }]);
    await leaseOf('b', repeated).take(inBackground);
    expect(interrupted).toEqual([]);
  });
});
