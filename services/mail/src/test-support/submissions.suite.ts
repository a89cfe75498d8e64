import { aMember } from '@action-platform/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { type Fault, Faults, faulty } from './faulty-provider.ts';
import type { MailSystemFixture } from './mail-system-fixture.ts';
import { TestMail } from './test-mail.ts';

/** The rules of idempotency keys and retries, which every mail system keeps, wherever an attempt ends. */
export function submissionsSuite(fixture: MailSystemFixture): void {
  const mail = new TestMail(fixture);
  const faults = new Faults();
  beforeAll(() => mail.startTwo((provider) => faulty(provider, faults)));
  afterEach(() => faults.clear());
  afterAll(() => mail.stop());

  const key = { idempotency_key: 'key-1' };

  describe('the same key', () => {
    test('with the same e-mail gives the first outcome to the byte, and no second draft', async () => {
      const member = await mail.member();
      const first = await mail.send(member, key);
      const again = await mail.send(member, key);
      expect(again.text).toBe(first.text);
      expect(first.header('idempotent-replayed')).toBe('');
      expect(again.header('idempotent-replayed')).toBe('true');
      expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
      expect(await mail.history(member)).toHaveLength(1);
    });

    test('names the same e-mail with an empty cc and without cc', async () => {
      const member = await mail.member();
      await mail.send(member, key);
      const again = await mail.send(member, { ...key, cc: [] });
      expect(again.header('idempotent-replayed')).toBe('true');
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

    test('with another sender is a conflict', async () => {
      const member = await mail.member();
      await mail.send(member, key);
      const sender_id = await mail.share(member.workspaceId);
      expect((await mail.send(member, { ...key, sender_id })).error.code).toBe('mail_idempotency_conflict');
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

    test.each(changes)('when the sender is %s', async (_what, change) => {
      const member = await mail.member();
      const input = { ...key, sender_id: await mail.share(member.workspaceId) };
      const first = await mail.send(member, input);
      await mail.share(member.workspaceId, change);
      const again = await mail.send(member, input);
      expect(again.text).toBe(first.text);
      expect(again.header('idempotent-replayed')).toBe('true');
      expect(await mail.history(member)).toMatchObject([{ status: 'ok' }]);
    });

    test.each(changes)('and an unknown draft is completed, when the sender is %s', async (_what, change) => {
      const member = await mail.member();
      const input = { ...key, sender_id: await mail.share(member.workspaceId) };
      faults.plan('dies before');
      expect((await mail.send(member, input)).result.status).toBe('unknown');
      await mail.share(member.workspaceId, { ...change, display_name: 'Another name' });
      await mail.expireLeases();
      const retry = await mail.send(member, input);
      expect(retry.result).toMatchObject({ status: 'drafted', sender_id: input.sender_id });
      const [draft] = await mail.drafts(member.workspaceId);
      expect((await PostalMime.parse(draft!)).from).toEqual({ name: 'Team', address: 'team@example.com' });
    });

    test('when the Member has connected another mailbox, and an unknown draft goes to the first', async () => {
      const member = await mail.member();
      const sender_id = await mail.ownSender(member);
      const first = await mail.send(member, key);
      const inDoubt = { idempotency_key: 'key-2' };
      faults.plan('dies after');
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

  describe('after an attempt has died', () => {
    test('the answer says to repeat the call with its key, until the draft is resolved', async () => {
      const member = await mail.member();
      faults.plan('dies after');
      const unknown = (await mail.send(member)).result;
      expect(unknown).toMatchObject({ status: 'unknown', next: expect.stringContaining('idempotency_key') });
      const resolved = (await mail.send(member, { idempotency_key: unknown.idempotency_key })).result;
      expect(resolved.status).toBe('drafted');
      expect(resolved).not.toHaveProperty('next');
      expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
    });

    test('after the draft was made and before that was recorded, a retry finds it', async () => {
      const member = await mail.member();
      faults.plan('dies after');
      const lost = await mail.send(member, key);
      expect(lost.result).toMatchObject({ status: 'unknown', idempotency_key: 'key-1', recipientCount: 1 });
      expect(lost.result).not.toHaveProperty('draft_id');
      const [draft_id] = await mail.draftIds(member.workspaceId);
      const retry = await mail.send(member, key);
      expect(retry.result).toMatchObject({ status: 'drafted', draft_id });
      expect(retry.header('idempotent-replayed')).toBe('true');
      expect((await mail.send(member, key)).text).toBe(retry.text);
      expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
    });
  });

  test('a refusal of the provider is the final outcome', async () => {
    const member = await mail.member();
    faults.plan('is refused');
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
    const member = await mail.member();
    const answers = await Promise.all(Array.from({ length: 12 }, () => mail.send(member, key)));
    const drafted = answers.filter(({ result }) => result.status === 'drafted');
    expect(new Set(drafted.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ result }) => !['drafted', 'unknown'].includes(result.status))).toEqual([]);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === '')).toHaveLength(1);
    expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
    expect(await mail.history(member)).toHaveLength(1);
  });

  test('there is never a second draft, wherever attempts die and however they interleave', async () => {
    // Each entry is a wave of calls at once, with the faults that they may meet; leases expire after it, or do not.
    const fault = fc.constantFrom<Fault>('dies before', 'dies after');
    const waves = fc.array(
      fc.record({
        calls: fc.integer({ min: 1, max: 4 }),
        faults: fc.array(fault, { maxLength: 4 }),
        isLater: fc.boolean(),
      }),
      { maxLength: 4 },
    );
    await fc.assert(
      fc.asyncProperty(waves, async (planned) => {
        const member = await mail.member();
        for (const wave of planned) {
          faults.plan(...wave.faults);
          const answers = await Promise.all(Array.from({ length: wave.calls }, () => mail.send(member, key)));
          for (const { result } of answers) expect(['drafted', 'unknown']).toContain(result.status);
          expect((await mail.drafts(member.workspaceId)).length).toBeLessThanOrEqual(1);
          faults.clear();
          if (wave.isLater) await mail.expireLeases();
        }
        await mail.expireLeases();
        expect((await mail.send(member, key)).result.status).toBe('drafted');
        expect(await mail.drafts(member.workspaceId)).toHaveLength(1);
        expect(await mail.history(member)).toMatchObject([{ status: 'ok' }]);
      }),
      { numRuns: 10 },
    );
  });
}
