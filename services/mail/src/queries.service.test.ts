import type { Principal } from '@action-platform/contracts/authority';
import { busHeaders } from '@action-platform/contracts/bus';
import { type Call, describeMailboxes } from '@action-platform/contracts/calls';
import { senderRoutes } from '@action-platform/contracts/resources';
import type { Database } from '@action-platform/mongo';
import { profiled, scheduled, shardingProblems, wasteful } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { storedDocuments } from './stored-documents.ts';
import { mailInTests } from './test-support/test-mail.ts';

const mail = mailInTests({ replicas: 2 });
let database: Database;
beforeAll(async () => {
  database = await mail.platform.database('mail');
});

/** The calls of an Owner and of grants about mailboxes. */
async function manageMailboxes({ workspaceId, userId, connections }: Principal): Promise<void> {
  const { platform } = mail;
  const headers = { [busHeaders.principal]: JSON.stringify({ workspaceId, userId }) };
  const call = (route: Call, input = {}) => platform.callAs('gateway', route, input, headers);
  const [sender] = (await platform.callAs('gateway', senderRoutes.list, {}, headers)).senders;
  const id = sender!.senderId;
  await call(senderRoutes.change, { id, members: [userId] });
  for (const _ of [1, 2]) await call(senderRoutes.remove, { id });
  await mail.share(workspaceId, { email: 'another@example.com' });
  const connectionIds = [connections.mail_suite!];
  await platform.callAs('grants', describeMailboxes, { workspaceId, connectionIds });
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

  const queries = await profiled(database, async () => {
    await mail.senders(member);
    for (const who of [owner, member]) await mail.history(who);
    await mail.history(scheduled(member, { data: { senderIds: [await mail.ownSender(member)] } }));
    await mail.share(workspaceId, { email: 'shared-1@example.com' });
    await manageMailboxes(owner);
    const key = { idempotency_key: 'k' };
    mail.system.faults.push('dies after');
    for (let i = 0; i < 3; i++) await mail.send(member, key);
    await mail.send(member, { ...key, subject: 'Other' });
  });

  const asked = new Set(queries.map(({ collection }) => collection));
  expect(asked).toEqual(new Set(['accounts', 'mailboxes', 'shared_mailboxes', 'attempts']));
  expect(queries.length).toBeGreaterThan(15);
  for (const { planSummary } of queries) expect(planSummary).toMatch(/^(IXSCAN |EXPRESS_IXSCAN |IDHACK)/);
  expect(wasteful(queries)).toEqual([]);
  expect(await shardingProblems('mail', database, storedDocuments, queries)).toEqual([]);
});
