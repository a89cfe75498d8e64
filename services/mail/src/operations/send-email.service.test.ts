import { sendEmail } from '@action-platform/contracts/operations';
import { scheduled } from '@action-platform/testing';
import { describe, expect, test } from '@jest/globals';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests({ replicas: 2 });
const { system } = mail;

describe('an interactive call', () => {
  test("drafts in the Member's own mailbox when it names no sender", async () => {
    const member = await mail.member();
    const input = {
      to: ['ada@example.com', 'bob@example.com'],
      cc: ['eve@example.com'],
      subject: 'Grüße',
      body: 'a\r\nb\n',
    };
    const answer = await mail.send(member, { ...input, idempotency_key: 'key-1' });
    expect(answer.status).toBe(200);
    expect(answer.header('idempotent-replayed')).toBe('');
    expect(answer.result).toEqual({
      integration: 'mail_suite',
      action: 'create_draft',
      status: 'drafted',
      draft_id: expect.stringMatching(/^draft-/),
      draft_url: expect.stringMatching(/^https:/),
      graph_correlation: { graph_request_id: expect.any(String), http_status: 201 },
      sender_id: await mail.ownSender(member),
      sender_type: 'member_mailbox',
      recipientCount: 3,
      idempotency_key: 'key-1',
    });
    expect(sendEmail.output.safeParse(answer.result).success).toBe(true);
    const address = 'user-member@example.com';
    expect(system.draftsOf(member.workspaceId)).toEqual([
      {
        ...input,
        from: { name: address, address },
        marker: expect.stringMatching(/^[0-9a-f]{64}$/),
        date: expect.any(Date),
      },
    ]);
  });

  test('drafts in a shared mailbox that it names', async () => {
    const member = await mail.member();
    const senderId = await mail.share(member.workspaceId, { display_name: 'Service & Co, Ltd' });
    const { result } = await mail.send(member, { sender_id: senderId });
    expect(result).toMatchObject({ status: 'drafted', sender_id: senderId, sender_type: 'shared_mailbox' });
    const [draft] = system.draftsOf(member.workspaceId);
    expect(draft!.from).toEqual({ name: 'Service & Co, Ltd', address: 'team@example.com' });
  });

  test('without a key is named by its request, so two calls make two drafts', async () => {
    const member = await mail.member();
    for (const _ of [1, 2])
      expect((await mail.send(member)).result).toMatchObject({
        status: 'drafted',
        idempotency_key: expect.stringMatching(/^req_/),
      });
    expect(system.draftsOf(member.workspaceId)).toHaveLength(2);
  });
});

describe('a sender is refused', () => {
  test('that does not exist, or belongs to another Member or Workspace, with one answer', async () => {
    const member = await mail.member();
    const colleague = { ...(await mail.member(member.workspaceId)), userId: 'user-colleague' };
    const withOwn = await mail.connected(colleague, { email: 'colleague@example.com' });
    const elsewhere = await mail.member();
    const foreign = [
      'snd_none',
      await mail.ownSender(withOwn),
      await mail.ownSender(elsewhere),
      await mail.share(elsewhere.workspaceId),
      await mail.share(member.workspaceId, { member: ['user-colleague'] }),
    ];
    for (const sender_id of foreign) {
      const { status, error } = await mail.send(member, { sender_id });
      expect({ status, code: error.code, message: error.message }).toEqual({
        status: 400,
        code: 'mail_sender_not_authorized',
        message: 'This sender is not among those the caller may use.',
      });
    }
    expect(system.draftsOf(member.workspaceId)).toEqual([]);
  });

  test('outside the data scope of a grant, with the senders in it by id and name', async () => {
    const member = await mail.member();
    const senderIds = [
      await mail.share(member.workspaceId, { display_name: 'Service & Co, Ltd' }),
      await mail.share(member.workspaceId, { email: 'sales@example.com', member: ['user-colleague'] }),
    ];
    const own = await mail.ownSender(member);
    const data = { senderIds };
    const listed = `in senderIds. It lists ${senderIds[0]}: Service & Co, Ltd, ${senderIds[1]}.`;
    expect((await mail.send(scheduled(member, { data }), { sender_id: own })).error).toMatchObject({
      code: 'grant_data_scope_exceeded',
      message: `The grant does not list this ${listed}`,
    });
    const agent = scheduled(member, { data, invocationId: undefined });
    expect((await mail.send(agent)).error).toMatchObject({
      code: 'grant_data_scope_exceeded',
      message: `The grant does not list the Member's own mailbox, ${own}, ${listed}`,
    });
  });

  test('by default when the Member has no mailbox of their own, even with the connection_id of another Member', async () => {
    const member = await mail.member();
    const without = { ...member, connections: { mail_suite: 'con_without_mailbox' } };
    const refused = await mail.send(without, { connection_id: member.connections.mail_suite });
    expect(refused.error.code).toBe('mail_sender_not_authorized');
    const colleague = { ...member, userId: 'user-colleague' };
    expect((await mail.send(colleague)).error.code).toBe('mail_sender_not_authorized');
    const elsewhere = { ...member, workspaceId: mail.newWorkspace() };
    expect((await mail.send(elsewhere)).error.code).toBe('mail_sender_not_authorized');
  });
});

test('a scheduled call drafts with its sender and output definition, once in a run of its job', async () => {
  const member = await mail.member();
  const senderId = await mail.ownSender(member);
  const routine = scheduled(member, {
    data: { senderIds: [senderId] },
    outputDefinition: 'digest',
    invocationId: 'run-7',
  });
  const input = { sender_id: senderId, output_definition: 'digest' };
  const first = await mail.send(routine, input);
  expect(first.result).toMatchObject({ status: 'drafted', idempotency_key: 'run-7' });
  const again = await mail.send(routine, input);
  expect(again.text).toBe(first.text);
  expect(again.header('idempotent-replayed')).toBe('true');
  // A person with the same key is another caller.
  await mail.send(member, { ...input, idempotency_key: 'run-7' });
  expect(system.draftsOf(member.workspaceId)).toHaveLength(2);
});

test('neither a body nor a recipient nor a key is kept in the database', async () => {
  const member = await mail.member();
  const secret = {
    to: ['recipient-secret@example.com'],
    body: 'body-secret',
    idempotency_key: 'key-secret',
  };
  await mail.send(member, secret);
  await mail.send(member, { ...secret, body: 'body-secret 2' });
  await mail.send(member, { ...secret, idempotency_key: 'key-secret 2', sender_id: 'snd_none' });
  const { db } = await mail.platform.database('mail');
  const kept = await db.collection('attempts').find({ workspace_id: member.workspaceId }).toArray();
  expect(kept.map(({ outcome }) => outcome).sort()).toEqual(['denied', 'drafted']);
  expect(JSON.stringify(kept)).not.toContain('secret');
  expect(JSON.stringify(await mail.history(member))).not.toContain('secret');
});
