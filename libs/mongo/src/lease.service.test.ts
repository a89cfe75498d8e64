import { randomUUID } from 'node:crypto';
import { inBackground } from '@action-platform/contracts';
import { openTestDatabase } from '@action-platform/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { Database } from './database.ts';
import { Lease, type StoredLease } from './lease.ts';

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
function leaseOf(owner: string): Lease<Job> {
  return new Lease(jobs, { filter: { _id: id, isDone: false }, owner, durationMs: 60_000 });
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
