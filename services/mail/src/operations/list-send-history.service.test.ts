import { randomUUIDv7 } from 'node:crypto';
import { listSendHistory } from '@action-platform/contracts';
import { aMember, anOwner, scheduled } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openLocalProvider } from '../providers/local/local-provider.ts';
import { type Fault, faulty } from '../test-support/faulty-provider.ts';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
const faults: Fault[] = [];
beforeAll(() =>
  mail.startTwoWith(async (folder) =>
    faulty(await openLocalProvider(folder, { draftUrlBase: 'https://drafts.example.com' }), faults),
  ),
);
afterEach(() => void faults.splice(0));
afterAll(() => mail.stop());

describe('mail.list_send_history', () => {
  test('has an entry for a draft, with user, time and subject, and no entry for a replay', async () => {
    const member = await mail.member();
    const input = { cc: ['bob@example.com'], idempotency_key: 'key-1' };
    const { result } = await mail.send(member, input);
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
        },
      },
    ]);
    // Only its own Member can open the draft.
    const [entry] = await mail.history(anOwner({ workspaceId: member.workspaceId }));
    expect(entry!.view).not.toHaveProperty('draft_url');
    expect(listSendHistory.output.safeParse({ entries }).success).toBe(true);
  });

  test('has an entry for every denial, with its code', async () => {
    const member = await mail.member();
    const own = await mail.ownSender(member);
    const closed = await mail.share(member.workspaceId, { interactive: false });
    const routine = scheduled(member, {
      data: { senderIds: ['snd_gone', own] },
      outputDefinition: 'digest',
    });
    const answers = [
      await mail.send(member, { sender_id: 'snd_none', subject: 'Other' }),
      await mail.send(member, { sender_id: closed }),
      await mail.send(routine),
      await mail.send(routine, { sender_id: 'snd_gone' }),
      await mail.send(routine, { sender_id: own }),
      await mail.send(routine, { sender_id: closed, output_definition: 'digest' }),
      await mail.send(routine, { sender_id: own, output_definition: 'other' }),
    ];
    const entries = await mail.history(member);
    expect(entries.map(({ status, view }) => [status, view.error_code, view.sender_id])).toEqual([
      ['denied', 'grant_data_scope_exceeded', own],
      ['denied', 'grant_data_scope_exceeded', closed],
      ['denied', 'mail_output_definition_required', own],
      ['denied', 'mail_sender_not_authorized', 'snd_gone'],
      ['denied', 'mail_sender_required', undefined],
      ['denied', 'mail_sender_not_eligible', closed],
      ['denied', 'mail_sender_not_authorized', 'snd_none'],
    ]);
    const codes = answers.map(({ error }) => error.code);
    expect(entries.map(({ view }) => view.error_code)).toEqual(codes.toReversed());
    for (const { routine_grant_id } of entries.slice(0, 5))
      expect(routine_grant_id).toBe(routine.routine!.id);
    expect(entries.at(-1)!.view).toMatchObject({ outcome: 'denied', subject: 'Other', recipient_count: 1 });
  });

  test('has no entry for a bad body, nor for another e-mail with a key that is in use', async () => {
    const member = await mail.member();
    const key = { idempotency_key: 'k' };
    await mail.send(member, key);
    expect((await mail.send(member, { ...key, subject: 'Other' })).error.code).toBe(
      'mail_idempotency_conflict',
    );
    expect((await mail.send(member, { to: [] })).error.code).toBe('invalid_request');
    expect(await mail.history(member)).toMatchObject([{ status: 'ok', view: { subject: 'Hello' } }]);
  });

  test('is in order of time, whatever the ids are', async () => {
    const member = await mail.member();
    await mail.send(member, { subject: 'Second', sender_id: 'snd_none' });
    const { db } = await mail.platform.database('mail');
    const attempts = db.collection<{ _id: string; logged_at: Date }>('attempts');
    const second = await attempts.findOne({ workspace_id: member.workspaceId });
    const entry = (subject: string, afterMs: number) => ({
      ...second!,
      _id: randomUUIDv7(),
      subject,
      logged_at: new Date(second!.logged_at.getTime() + afterMs),
    });
    await attempts.insertMany([entry('Third', 1), entry('First', -1)]);
    const entries = await mail.history(member);
    expect(entries.map(({ view }) => view.subject)).toEqual(['Third', 'Second', 'First']);
  });

  test('shows an unknown outcome as failed until a retry resolves it', async () => {
    const member = await mail.member();
    const key = { idempotency_key: 'key-1' };
    faults.push('dies after');
    await mail.send(member, key);
    expect(await mail.history(member)).toMatchObject([{ status: 'failed', view: { outcome: 'unknown' } }]);
    const { result } = await mail.send(member, key);
    expect(await mail.history(member)).toMatchObject([
      { status: 'ok', view: { outcome: 'drafted', draft_id: result.draft_id } },
    ]);
    faults.push('is refused');
    await mail.send(member, { idempotency_key: 'key-2' });
    const [refused] = await mail.history(member);
    expect(refused).toMatchObject({ status: 'failed', view: { outcome: 'failed' } });
  });

  test('names the grant that was used', async () => {
    const member = await mail.member();
    const senderId = await mail.ownSender(member);
    const routine = scheduled(member, {
      id: 'rgr_1',
      data: { senderIds: [senderId] },
      outputDefinition: 'digest',
    });
    await mail.send(routine, { sender_id: senderId, output_definition: 'digest' });
    await mail.send({ ...member, operationGrantId: 'ogr_1' });
    const [byOperationGrant, byRoutine] = await mail.history(member);
    expect(byRoutine).toMatchObject({ routine_grant_id: 'rgr_1' });
    expect(byOperationGrant).toMatchObject({ view: { operation_grant_id: 'ogr_1' } });
    expect(byOperationGrant).not.toHaveProperty('routine_grant_id');
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

  test('ends with the 500 newest', async () => {
    const member = await mail.member();
    await mail.send(member, { subject: 'Oldest' });
    const { db } = await mail.platform.database('mail');
    const attempts = db.collection<{ _id: string }>('attempts');
    const [oldest] = await attempts.find({ workspace_id: member.workspaceId }).toArray();
    const newer = (i: number) => ({
      ...oldest!,
      _id: `f${String(i).padStart(6, '0')}`,
      marker: `m${i}`,
      subject: `${i}`,
    });
    await attempts.insertMany(Array.from({ length: 500 }, (_, i) => newer(i)));
    const entries = await mail.history(member);
    expect(entries.map(({ view }) => view.subject)).toEqual(
      Array.from({ length: 500 }, (_, i) => `${499 - i}`),
    );
  });
});

test('the database deletes attempts by time, and keeps submissions longer than the lifetime of any grant', async () => {
  const member = await mail.member();
  await mail.send(member);
  await mail.send(member, { sender_id: 'snd_none' });
  const { db } = await mail.platform.database('mail');
  const indexes = await db.collection('attempts').indexes();
  expect(indexes.find(({ name }) => name === 'expiry')).toMatchObject({ expireAfterSeconds: 0 });
  const kept = await db
    .collection('attempts')
    .find({ workspace_id: member.workspaceId })
    .sort({ logged_at: 1, _id: 1 })
    .toArray();
  const days = kept.map(
    ({ logged_at, expires_at }) => (expires_at.getTime() - logged_at.getTime()) / 86_400_000,
  );
  expect(days).toEqual([400, 90]);
});
