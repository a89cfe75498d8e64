import { scheduled } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Db, Document } from 'mongodb';
import { Faults, faulty } from './test-support/faulty-provider.ts';
import { RemoteMailSystem } from './test-support/remote-mail-system.ts';
import { TestMail } from './test-support/test-mail.ts';

const mail = new TestMail();
const faults = new Faults();
const remote = new RemoteMailSystem();
let db: Db;
beforeAll(async () => {
  await mail.startTwoWith(async () => faulty(remote, faults));
  ({ db } = await mail.platform.database('mail'));
});
afterEach(() => faults.clear());
afterAll(() => mail.stop());

/** Everything the service asks of its database while `work` runs, as the database's own profiler saw it. */
async function profiled(work: () => Promise<void>): Promise<Document[]> {
  await db.setProfilingLevel('all');
  await work();
  await db.setProfilingLevel('off');
  const ours = { ns: { $ne: `${db.databaseName}.system.profile` }, planSummary: { $exists: true } };
  return await db.collection('system.profile').find(ours).toArray();
}

test('every query of the service uses an index, sorts by it, and reads little more than it answers', async () => {
  const owner = await mail.owner();
  const { workspaceId } = owner;
  const member = await mail.member(workspaceId);
  const others = [await mail.member(), await mail.member()];
  for (const who of [owner, member, ...others]) {
    for (let i = 0; i < 20; i++) await mail.send(who);
    for (let i = 0; i < 10; i++) await mail.share(who.workspaceId, { email: `shared-${i}@example.com` });
  }

  const queries = await profiled(async () => {
    await mail.senders(member);
    for (const who of [owner, member]) await mail.history(who);
    await mail.history(scheduled(member, { data: { senderIds: [await mail.ownSender(member)] } }));
    await mail.share(workspaceId, { email: 'shared-1@example.com' });
    const key = { idempotency_key: 'k' };
    faults.plan('dies after');
    for (let i = 0; i < 3; i++) await mail.send(member, key);
    await mail.send(member, { ...key, subject: 'Other' });
  });

  const summary = queries.map(({ ns, op, planSummary, docsExamined, nreturned, hasSortStage }) => ({
    collection: String(ns).slice(db.databaseName.length + 1),
    op,
    planSummary,
    docsExamined,
    nreturned,
    hasSortStage,
  }));
  const asked = new Set(summary.map(({ collection }) => collection));
  expect(asked).toEqual(new Set(['mailboxes', 'shared_mailboxes', 'attempts']));
  expect(summary.length).toBeGreaterThan(15);
  for (const query of summary) {
    expect(query).toMatchObject({ planSummary: expect.stringMatching(/^(IXSCAN|EXPRESS_IXSCAN) /) });
    expect(query).toMatchObject({ hasSortStage: undefined });
    if (query.op === 'query') {
      expect(query.docsExamined).toBeLessThanOrEqual(Math.max(1, query.nreturned ?? 0));
    }
  }
});
