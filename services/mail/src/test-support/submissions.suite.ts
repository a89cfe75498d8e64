import { aMember } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import PostalMime from 'postal-mime';
import { type Fault, faulty } from './faulty-provider.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';
import { TestMail } from './test-mail.ts';

/** The rules of idempotency keys and retries, which every mail system keeps, wherever an attempt ends. */
export function submissionsSuite(fixture: MailSystemFixture): void {
  const mail = new TestMail(fixture);
  const faults: Fault[] = [];
  beforeAll(() => mail.startTwo((provider) => faulty(provider, faults)));
  afterEach(() => void faults.splice(0));
  afterAll(() => mail.stop());

  const key = { idempotency_key: 'key-1' };

  describe('the same key', () => {
    test('with the same e-mail gives the first outcome to the byte, and no second draft', async () => {
      const member = await mail.member();
      const first = await mail.send(member, key);
      expect(first.header('idempotent-replayed')).toBe('');
      // No copies are the same as none named.
      for (const input of [key, { ...key, cc: [] }]) {
        const again = await mail.send(member, input);
        expect(again.text).toBe(first.text);
        expect(again.header('idempotent-replayed')).toBe('true');
      }
      expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
      expect(await mail.history(member)).toHaveLength(1);
    });

    test('distinguishes a named sender from the same one by default: the input counts, not the resolved sender', async () => {
      const member = await mail.member();
      const sender_id = await mail.ownSender(member);
      await mail.send(member, key);
      expect((await mail.send(member, { ...key, sender_id })).error.code).toBe('mail_idempotency_conflict');
      const named = { idempotency_key: 'key-2', sender_id };
      await mail.send(member, named);
      expect((await mail.send(member, named)).header('idempotent-replayed')).toBe('true');
      const omitted = await mail.send(member, { idempotency_key: 'key-2' });
      expect(omitted.error.code).toBe('mail_idempotency_conflict');
    });

    test.each([
      ['subject', { subject: 'Other' }],
      ['body', { body: 'Other' }],
      ['recipients', { to: ['ada@example.com', 'bob@example.com'] }],
      ['copies', { cc: ['bob@example.com'] }],
      ['output definition', { output_definition: 'digest' }],
    ])('with another %s is a conflict', async (_what, change) => {
      const member = await mail.member();
      await mail.send(member, key);
      const { status, error } = await mail.send(member, { ...key, ...change });
      expect({ status, code: error.code }).toEqual({ status: 400, code: 'mail_idempotency_conflict' });
      expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
    });

    test('is another key for another Member and in another Workspace', async () => {
      const member = await mail.member();
      const colleague = await mail.reconnected(
        aMember({ workspaceId: member.workspaceId, userId: 'user-colleague' }),
        'colleague@example.com',
      );
      const elsewhere = await mail.member();
      const drafts = await Promise.all([member, colleague, elsewhere].map((who) => mail.send(who, key)));
      expect(new Set(drafts.map(({ result }) => result.draft_id)).size).toBe(3);
    });

    test('still gives the outcome after the mailbox was connected again', async () => {
      const member = await mail.member();
      const first = await mail.send(member, key);
      const again = await mail.send(await mail.reconnected(member, 'USER-member@example.com'), key);
      expect(again.text).toBe(first.text);
    });
  });

  describe('an existing key answers first, whatever would refuse the call now', () => {
    /** Changes of a shared mailbox after an e-mail was submitted. */
    const changes: [string, { interactive?: boolean; member?: string[] }][] = [
      ['closed', { interactive: false }],
      ['shared with other Members only', { member: ['somebody'] }],
    ];

    test.each(changes)('when the sender is %s, also to complete an unknown draft', async (_what, change) => {
      const member = await mail.member();
      const input = { ...key, sender_id: await mail.share(member.workspaceId) };
      const inDoubt = { ...input, idempotency_key: 'key-2' };
      const first = await mail.send(member, input);
      faults.push('dies before');
      expect((await mail.send(member, inDoubt)).result.status).toBe('unknown');
      await mail.share(member.workspaceId, { ...change, display_name: 'Another name' });
      await mail.expireLeases();
      const again = await mail.send(member, input);
      expect(again.text).toBe(first.text);
      expect(again.header('idempotent-replayed')).toBe('true');
      const { result } = await mail.send(member, inDoubt);
      expect(result).toMatchObject({ status: 'drafted', sender_id: input.sender_id });
      for (const draft of await mail.drafts(member.workspaceId))
        expect((await PostalMime.parse(draft)).from).toEqual({ name: 'Team', address: 'team@example.com' });
      expect(await mail.history(member)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });

    test('when the Member has connected another mailbox, and an unknown draft goes to the first', async () => {
      const member = await mail.member();
      const sender_id = await mail.ownSender(member);
      const first = await mail.send(member, key);
      const inDoubt = { idempotency_key: 'key-2' };
      faults.push('dies after');
      expect((await mail.send(member, inDoubt)).result.status).toBe('unknown');
      const reconnected = await mail.reconnected(member, 'other@example.com');
      expect((await mail.send(reconnected, key)).text).toBe(first.text);
      expect((await mail.send(reconnected, inDoubt)).result).toMatchObject({ status: 'drafted', sender_id });
      expect(await mail.drafts(member.workspaceId)).toHaveLength(2);
      expect(await mail.history(member)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });

    test('when the Member has disconnected the mailbox', async () => {
      const member = await mail.member();
      const first = await mail.send(member, key);
      expect((await mail.send({ ...member, connections: {} }, key)).text).toBe(first.text);
    });
  });

  test('after an attempt has died the answer says to repeat the call, and a retry finds the draft', async () => {
    const member = await mail.member();
    faults.push('dies after');
    const unknown = (await mail.send(member)).result;
    expect(unknown).toMatchObject({ status: 'unknown', next: expect.stringContaining('idempotency_key') });
    expect(unknown).not.toHaveProperty('draft_id');
    const repeated = { idempotency_key: unknown.idempotency_key };
    const retry = await mail.send(member, repeated);
    const [draft_id] = await mail.draftIds(member.workspaceId);
    expect(retry.result).toMatchObject({ status: 'drafted', draft_id });
    expect(retry.result).not.toHaveProperty('next');
    expect(retry.header('idempotent-replayed')).toBe('true');
    expect((await mail.send(member, repeated)).text).toBe(retry.text);
    expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
  });

  test('a refusal of the provider is the final outcome', async () => {
    const member = await mail.member();
    faults.push('is refused');
    const failed = await mail.send(member, key);
    expect(failed.status).toBe(200);
    expect(failed.result).toMatchObject({
      status: 'failed',
      graph_correlation: { http_status: 403 },
      next: expect.stringContaining('new idempotency_key'),
    });
    const again = await mail.send(member, key);
    expect(again.text).toBe(failed.text);
    expect(again.header('idempotent-replayed')).toBe('true');
    expect(await mail.drafts(member.workspaceId)).toEqual([]);
    expect((await mail.send(member, { idempotency_key: 'key-2' })).result.status).toBe('drafted');
  });

  test('of concurrent calls with one key on two replicas, one makes the draft, and all answer with it or unknown', async () => {
    const outcomes = fixture.createsOnce ? ['drafted'] : ['drafted', 'unknown'];
    const member = await mail.member();
    const answers = await Promise.all(Array.from({ length: 12 }, () => mail.send(member, key)));
    const drafted = answers.filter(({ result }) => result.status === 'drafted');
    expect(new Set(drafted.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ result }) => !outcomes.includes(result.status))).toEqual([]);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === '')).toHaveLength(1);
    expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
    expect(await mail.history(member)).toHaveLength(1);
  });
}
