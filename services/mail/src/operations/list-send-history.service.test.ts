import { randomUUIDv7 } from 'node:crypto';
import { listSendHistory } from '@action-platform/contracts/operations';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import type { StoredSubmission } from '../attempts/stored-attempt.ts';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests({ replicas: 2 });
let attempts: Collection<StoredSubmission>;
beforeAll(async () => {
  attempts = (await mail.platform.database('mail')).db.collection('attempts');
});

describe('mail.list_send_history', () => {
  test('has an entry for a draft, with user, time, subject and grant, and no entry for a replay', async () => {
    const member = await mail.member();
    const input = { cc: ['bob@example.com'], idempotency_key: 'key-1' };
    const { result } = await mail.send({ ...member, operationGrantId: 'ogr_1' }, input);
    await mail.send(member, input);
    const entries = await mail.history(member);
    expect(entries).toEqual([
      {
        operation_id: 'mail.send_email',
        actor_user_id: member.userId,
        workspace_id: member.workspaceId,
        logged_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        status: 'ok',
        view: {
          attempt_id: expect.stringMatching(/^att_/),
          request_id: expect.any(String),
          outcome: 'drafted',
          sender_id: result.sender_id,
          sender_type: 'member_mailbox',
          recipient_count: 2,
          subject: 'Hello',
          draft_id: result.draft_id,
          draft_url: result.draft_url,
          operation_grant_id: 'ogr_1',
        },
      },
    ]);
    // Only its own Member can open the draft.
    const [entry] = await mail.history(anOwner({ workspaceId: member.workspaceId }));
    expect(entry!.view).not.toHaveProperty('draft_url');
    expect(listSendHistory.output.safeParse({ entries }).success).toBe(true);
  });

  test('has an entry for every denial, with its code, and none for a bad body or a conflict', async () => {
    const member = await mail.member();
    const own = await mail.ownSender(member);
    const forRoutines = await mail.share(member.workspaceId, { interactive: false });
    const forPeople = await mail.share(member.workspaceId, { email: 'a@example.com', scheduled: false });
    const routine = scheduled(member, {
      data: { senderIds: ['snd_gone', own, forPeople] },
      outputDefinition: 'digest',
    });
    const agent = scheduled(member, { data: { senderIds: [forPeople] }, invocationId: undefined });
    const answers = [
      await mail.send(member, { sender_id: 'snd_none', subject: 'Other' }),
      await mail.send(member, { sender_id: forRoutines }),
      await mail.send(routine),
      await mail.send(routine, { sender_id: 'snd_gone' }),
      await mail.send(routine, { sender_id: forPeople, output_definition: 'digest' }),
      await mail.send(routine, { sender_id: own }),
      await mail.send(routine, { sender_id: forRoutines, output_definition: 'digest' }),
      await mail.send(routine, { sender_id: own, output_definition: 'other' }),
      await mail.send(agent),
    ];
    const entries = await mail.history(member);
    expect(entries.map(({ status, view }) => [status, view.error_code, view.sender_id])).toEqual([
      ['denied', 'grant_data_scope_exceeded', undefined],
      ['denied', 'grant_data_scope_exceeded', own],
      ['denied', 'grant_data_scope_exceeded', forRoutines],
      ['denied', 'mail_output_definition_required', own],
      ['denied', 'mail_sender_not_eligible', forPeople],
      ['denied', 'mail_sender_not_authorized', 'snd_gone'],
      ['denied', 'mail_sender_required', undefined],
      ['denied', 'mail_sender_not_eligible', forRoutines],
      ['denied', 'mail_sender_not_authorized', 'snd_none'],
    ]);
    const codes = answers.map(({ error }) => error.code);
    expect(entries.map(({ view }) => view.error_code)).toEqual(codes.toReversed());
    for (const { routine_grant_id } of entries.slice(1, 7))
      expect(routine_grant_id).toBe(routine.routine!.id);
    expect(entries.at(-1)!.view).toMatchObject({ outcome: 'denied', subject: 'Other', recipient_count: 1 });

    await mail.send(member, { idempotency_key: 'k' });
    await mail.send(member, { idempotency_key: 'k', subject: 'Other' });
    expect((await mail.send(member, { to: [] })).error.code).toBe('invalid_request');
    expect(await mail.history(member)).toMatchObject([{ view: { subject: 'Hello' } }, ...entries]);
  });

  test('shows an unknown outcome as failed until a retry resolves it', async () => {
    const member = await mail.member();
    const key = { idempotency_key: 'key-1' };
    mail.system.faults.push('dies after');
    await mail.send(member, key);
    expect(await mail.history(member)).toMatchObject([{ status: 'failed', view: { outcome: 'unknown' } }]);
    const { result } = await mail.send(member, key);
    expect(await mail.history(member)).toMatchObject([
      { status: 'ok', view: { outcome: 'drafted', draft_id: result.draft_id } },
    ]);
    mail.system.faults.push('is refused');
    await mail.send(member, { idempotency_key: 'key-2' });
    const [refused] = await mail.history(member);
    expect(refused).toMatchObject({ status: 'failed', view: { outcome: 'failed' } });
  });

  test("shows a Member their own attempts, an Owner the Workspace's, and no attempts of another Workspace", async () => {
    const owner = await mail.owner();
    const { workspaceId } = owner;
    const member = await mail.member(workspaceId);
    await mail.send(member, { subject: "Member's" });
    await mail.send(owner, { subject: "Owner's" });
    await mail.send(await mail.owner(), { subject: "Outsider's" });
    const subjects = async (who: typeof owner) => (await mail.history(who)).map(({ view }) => view.subject);
    expect(await subjects(member)).toEqual(["Member's"]);
    for (const each of [owner, anOwner({ workspaceId })])
      expect(await subjects(each)).toEqual(["Owner's", "Member's"]);
    expect(await subjects(aMember({ workspaceId, userId: 'new' }))).toEqual([]);
    expect(await subjects({ ...owner, role: 'member' })).toEqual(["Owner's"]);
  });

  test("shows a routine the attempts of its grant's senders, and its own denied ones", async () => {
    const member = await mail.member();
    const shared = await mail.share(member.workspaceId);
    await mail.send(member, { subject: 'Own mailbox' });
    await mail.send(member, { subject: 'Shared mailbox', sender_id: shared });
    const routine = scheduled(member, { data: { senderIds: [shared] } });
    await mail.send(routine, { subject: 'No sender' });
    const subjects = async (who: typeof member) => (await mail.history(who)).map(({ view }) => view.subject);
    expect(await subjects(routine)).toEqual(['No sender', 'Shared mailbox']);
    expect(await subjects(scheduled(member, { data: {} }))).toEqual([]);
    expect(await subjects(member)).toEqual(['No sender', 'Shared mailbox', 'Own mailbox']);
  });

  test('has the 500 newest in order of time, whatever the ids are', async () => {
    const member = await mail.member();
    await mail.send(member, { subject: 'Oldest' });
    const oldest = (await attempts.findOne({ workspace_id: member.workspaceId }))!;
    const newer = Array.from({ length: 500 }, (_, index) => ({
      ...oldest,
      ...{ _id: randomUUIDv7(), marker: `m${index}`, subject: `${index}` },
      logged_at: new Date(oldest.logged_at.getTime() + 1 + index),
    }));
    await attempts.insertMany(newer.toReversed());
    const entries = await mail.history(member);
    expect(entries.map(({ view }) => view.subject)).toEqual(newer.map(({ subject }) => subject).reverse());
  });
});

test('the database deletes attempts by time, and keeps submissions longer than the lifetime of any grant', async () => {
  const member = await mail.member();
  await mail.send(member);
  await mail.send(member, { sender_id: 'snd_none' });
  const indexes = await attempts.indexes();
  expect(indexes.find(({ name }) => name === 'expiry')).toMatchObject({ expireAfterSeconds: 0 });
  const kept = await attempts
    .find({ workspace_id: member.workspaceId })
    .sort({ logged_at: 1, _id: 1 })
    .toArray();
  const days = kept.map(
    ({ logged_at, expires_at }) => (expires_at.getTime() - logged_at.getTime()) / 86_400_000,
  );
  expect(days).toEqual([400, 90]);
});
