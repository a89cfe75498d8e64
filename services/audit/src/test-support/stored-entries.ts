import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@action-platform/contracts/audit';
import { anEntry, TestPlatform } from '@action-platform/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { Appender } from '../blocks/append.ts';
import { timeSlot } from '../blocks/link.ts';
import { openChains } from '../blocks/stored-block.ts';
import type { StoredProgress } from '../intake/progress.ts';
import { audit } from '../service.ts';
import { testSeals } from './test-seals.ts';

/** Stores entries in a Workspace, as one message each time. */
type StoreEntries = (workspaceId: string, entries: readonly Partial<AuditEntry>[]) => Promise<void>;

/** Lets a test store entries itself: the test has the lease of the streams, so that the test's own calls add none. */
export async function storingEntries(platform: TestPlatform): Promise<StoreEntries> {
  const { db } = await platform.database('audit');
  const lease = { owner: 'another', until: new Date(Date.now() + 600_000) };
  await db.collection<StoredProgress>('progress').updateOne({}, { $set: { lease } });
  const appender = new Appender(await openChains(db, testSeals, 400));
  return async (workspaceId, entries) => {
    const message = randomUUID();
    const sourced = entries.map((entry) => {
      const { workspace_id: _, ...plain } = anEntry();
      const whole: AuditEntry = { ...plain, outcome: 'done', ...entry };
      return { entry: whole, source: `${message} ${timeSlot(whole)}` };
    });
    await appender.append(new Map([[workspaceId, sourced]]));
  };
}

/** Replicas of the service, for the tests of a file, which store the entries themselves. */
export function auditStoring(replicas: number) {
  const platform = new TestPlatform();
  let stored: StoreEntries;
  beforeAll(async () => {
    await platform.start(Array(replicas).fill(audit));
    stored = await storingEntries(platform);
  });
  afterAll(() => platform.stop());
  const store: StoreEntries = (...entries) => stored(...entries);
  return { platform, store };
}
