import { sendEmail } from '@action-platform/contracts';
import { scheduled } from '@action-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import type { MailSystemFixture } from './mail-system-fixture.ts';
import { TestMail } from './test-mail.ts';

/** The rules of mail.send_email, which every mail system keeps. */
export function sendEmailSuite(fixture: MailSystemFixture): void {
  const mail = new TestMail(fixture);
  beforeAll(() => mail.startTwo());
  afterAll(() => mail.stop());

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
        draft_id: (await mail.draftIds(member.workspaceId))[0],
        draft_url: fixture.draftUrl && expect.stringMatching(fixture.draftUrl),
        graph_correlation: answer.result.graph_correlation,
        sender_id: await mail.ownSender(member),
        sender_type: 'member_mailbox',
        recipientCount: 3,
        idempotency_key: 'key-1',
      });
      expect(sendEmail.output.safeParse(answer.result).success).toBe(true);

      const [draft, ...others] = await mail.drafts(member.workspaceId);
      expect(others).toEqual([]);
      const { from, to, cc, subject, headers } = await PostalMime.parse(draft!);
      expect(from).toEqual({ name: '', address: 'user-member@example.com' });
      expect(to!.map(({ address }) => address)).toEqual(input.to);
      expect(cc!.map(({ address }) => address)).toEqual(input.cc);
      expect(subject).toBe('Grüße');
      expect(headers).toContainEqual(expect.objectContaining({ key: 'x-unsent', value: '1' }));
      expect(draft!.toString()).toContain(Buffer.from('a\r\nb\r\n').toString('base64'));
    });

    test('drafts in a shared mailbox that it names', async () => {
      const member = await mail.member();
      const senderId = await mail.share(member.workspaceId, { display_name: 'Service & Co, Ltd' });
      const { result } = await mail.send(member, { sender_id: senderId });
      expect(result).toMatchObject({ status: 'drafted', sender_id: senderId, sender_type: 'shared_mailbox' });
      const [draft] = await mail.drafts(member.workspaceId);
      const { from } = await PostalMime.parse(draft!);
      expect(from).toEqual({ name: 'Service & Co, Ltd', address: 'team@example.com' });
    });

    test('is named by its request when it has no key, so two calls make two drafts', async () => {
      const member = await mail.member();
      const [one, two] = [await mail.send(member), await mail.send(member)];
      expect(one.result.idempotency_key).toMatch(/^req_/);
      expect(one.result.draft_id).not.toBe(two.result.draft_id);
      expect(await mail.drafts(member.workspaceId)).toHaveLength(2);
    });

    test('ignores the deprecated fields', async () => {
      const [member, other] = [await mail.member(), await mail.member()];
      const key = { idempotency_key: 'k' };
      const first = await mail.send(member, {
        ...key,
        connection_id: other.connections.mail_suite,
        confirm_send: true,
      });
      expect(first.result.sender_id).toBe(await mail.ownSender(member));
      const again = await mail.send(member, key);
      expect(again.header('idempotent-replayed')).toBe('true');
    });
  });

  describe('a sender is refused', () => {
    test('that does not exist, or belongs to another Member or Workspace, with one answer', async () => {
      const member = await mail.member();
      const colleague = { ...(await mail.member(member.workspaceId)), userId: 'user-colleague' };
      const withOwn = await mail.reconnected(colleague, 'colleague@example.com');
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
      expect(await mail.drafts(member.workspaceId)).toEqual([]);
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

    test('that is closed to this kind of call', async () => {
      const member = await mail.member();
      const forRoutines = await mail.share(member.workspaceId, { interactive: false });
      const forPeople = await mail.share(member.workspaceId, {
        email: 'people@example.com',
        scheduled: false,
      });
      expect((await mail.send(member, { sender_id: forRoutines })).error.code).toBe(
        'mail_sender_not_eligible',
      );
      const routine = scheduled(member, { data: { senderIds: [forPeople] }, outputDefinition: 'digest' });
      const answer = await mail.send(routine, { sender_id: forPeople, output_definition: 'digest' });
      expect(answer.error.code).toBe('mail_sender_not_eligible');
    });
  });

  describe('a scheduled call', () => {
    test('drafts with its sender and output definition, and is named by the run of its job', async () => {
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
      expect((await mail.send(routine, { ...input, idempotency_key: 'other' })).result.draft_id).not.toBe(
        first.result.draft_id,
      );
    });

    test('is named by the run of its own grant: another routine with the same run id makes a draft of its own', async () => {
      const member = await mail.member();
      const senderId = await mail.ownSender(member);
      const grant = { data: { senderIds: [senderId] }, outputDefinition: 'digest', invocationId: 'run-7' };
      const input = { sender_id: senderId, output_definition: 'digest' };
      const [one, other] = [scheduled(member, grant), scheduled(member, grant)];
      const first = await mail.send(one, input);
      const second = await mail.send(other, { ...input, subject: 'Another e-mail' });
      expect(second.result).toMatchObject({ status: 'drafted', idempotency_key: 'run-7' });
      expect(second.result.draft_id).not.toBe(first.result.draft_id);
      // The key of an answer names the e-mail, also when a later run of the job repeats the call.
      const later = { ...one, routine: { ...one.routine!, invocationId: 'run-8' } };
      const repeated = await mail.send(later, { ...input, idempotency_key: 'run-7' });
      expect(repeated.text).toBe(first.text);
      expect(await mail.drafts(member.workspaceId)).toHaveLength(2);
    });

    test('neither finds nor completes the submission of a person or another job with the same key', async () => {
      const member = await mail.member();
      const sender_id = await mail.ownSender(member);
      const grant = { data: { senderIds: [sender_id] }, outputDefinition: 'digest' };
      const input = { sender_id, output_definition: 'digest', idempotency_key: 'key-1' };
      const callers = [
        member,
        { ...member, operationGrantId: 'ogr_1' },
        scheduled(member, grant),
        scheduled(member, grant),
      ];
      const answers = [];
      for (const caller of callers) answers.push(await mail.send(caller, input));
      expect(answers.map((answer) => answer.header('idempotent-replayed'))).toEqual(['', 'true', '', '']);
      expect(answers[1]!.result.draft_id).toBe(answers[0]!.result.draft_id);
      expect(await mail.drafts(member.workspaceId)).toHaveLength(3);
      const conflict = await mail.send(callers[2]!, { ...input, body: 'Other' });
      expect(conflict.error.code).toBe('mail_idempotency_conflict');
    });
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

  test('the largest e-mail is drafted', async () => {
    const member = await mail.member();
    const addresses = (letter: string) =>
      Array.from({ length: 20 }, (_, i) => `${letter.repeat(60)}${i}@${'b.'.repeat(85)}example.com`);
    const input = {
      to: addresses('a'),
      cc: addresses('b'),
      subject: '😀'.repeat(255),
      body: '😀'.repeat(100_000),
    };
    const { result } = await mail.send(member, input);
    expect(result).toMatchObject({ status: 'drafted', recipientCount: 40 });
    const [draft] = await mail.drafts(member.workspaceId);
    const { subject, to, text } = await PostalMime.parse(draft!);
    expect({ subject, text, to: to!.map(({ address }) => address) }).toEqual({
      subject: input.subject,
      text: expect.stringContaining(input.body),
      to: input.to,
    });
  });
}
