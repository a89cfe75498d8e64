import type { Principal } from '@action-platform/contracts/authority';
import { afterEach, describe, expect, test } from '@jest/globals';
import { mailInTests } from '../test-support/test-mail.ts';
import { TestMailSystem } from '../test-support/test-mail-system.ts';

const key = { idempotency_key: 'key-1' };

describe.each([
  ['makes a draft at every call', { createsOnce: false }],
  ['makes a draft once for a marker', { createsOnce: true }],
])('with a mail system that %s', (_what, { createsOnce }) => {
  const mail = mailInTests({ replicas: 2 }, new TestMailSystem({ createsOnce }));
  const { system } = mail;
  afterEach(() => void system.faults.splice(0));

  const countOf = ({ workspaceId }: Principal) => system.draftsOf(workspaceId).length;

  test('the same key with the same e-mail gives the first outcome to the byte, with another one a conflict', async () => {
    const member = await mail.member();
    const first = await mail.send(member, key);
    expect(first.header('idempotent-replayed')).toBe('');
    const again = await mail.send(member, key);
    expect(again.text).toBe(first.text);
    expect(again.header('idempotent-replayed')).toBe('true');
    // The input counts, not the sender that it came to.
    for (const change of [{ subject: 'Other' }, { sender_id: await mail.ownSender(member) }]) {
      const { status, error } = await mail.send(member, { ...key, ...change });
      expect({ status, code: error.code }).toEqual({ status: 400, code: 'mail_idempotency_conflict' });
    }
    expect(countOf(member)).toBe(1);
    expect(await mail.history(member)).toHaveLength(1);
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
      system.faults.push('dies before');
      expect((await mail.send(member, inDoubt)).result.status).toBe('unknown');
      await mail.share(member.workspaceId, { ...change, display_name: 'Another name' });
      await mail.expireLeases();
      const again = await mail.send(member, input);
      expect(again.text).toBe(first.text);
      expect(again.header('idempotent-replayed')).toBe('true');
      const { result } = await mail.send(member, inDoubt);
      expect(result).toMatchObject({ status: 'drafted', sender_id: input.sender_id });
      for (const { from } of system.draftsOf(member.workspaceId))
        expect(from).toEqual({ name: 'Team', address: 'team@example.com' });
      expect(await mail.history(member)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });

    test('when the Member has connected another mailbox or none, and an unknown draft goes to the first', async () => {
      const member = await mail.member();
      const sender_id = await mail.ownSender(member);
      const first = await mail.send(member, key);
      const inDoubt = { idempotency_key: 'key-2' };
      system.faults.push('dies after');
      expect((await mail.send(member, inDoubt)).result.status).toBe('unknown');
      const reconnected = await mail.connected(member, { email: 'other@example.com' });
      for (const who of [reconnected, { ...member, connections: {} }])
        expect((await mail.send(who, key)).text).toBe(first.text);
      expect((await mail.send(reconnected, inDoubt)).result).toMatchObject({ status: 'drafted', sender_id });
      expect(countOf(member)).toBe(2);
      expect(await mail.history(member)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    });
  });

  test('after an attempt has died the answer says to repeat the call, and a retry finds the draft', async () => {
    const member = await mail.member();
    system.faults.push('dies after');
    const unknown = (await mail.send(member)).result;
    expect(unknown).toMatchObject({ status: 'unknown', next: expect.stringContaining('idempotency_key') });
    expect(unknown).not.toHaveProperty('draft_id');
    const repeated = { idempotency_key: unknown.idempotency_key };
    const retry = await mail.send(member, repeated);
    expect(retry.result).toMatchObject({ status: 'drafted', draft_id: expect.any(String) });
    expect(retry.result).not.toHaveProperty('next');
    expect(retry.header('idempotent-replayed')).toBe('true');
    expect((await mail.send(member, repeated)).text).toBe(retry.text);
    expect(countOf(member)).toBe(1);
  });

  test('a refusal of the provider is the final outcome', async () => {
    const member = await mail.member();
    system.faults.push('is refused');
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
    expect(countOf(member)).toBe(0);
    expect((await mail.send(member, { idempotency_key: 'key-2' })).result.status).toBe('drafted');
  });

  test('of concurrent calls with one key on two replicas, one makes the draft, and all answer with it or unknown', async () => {
    const outcomes = createsOnce ? ['drafted'] : ['drafted', 'unknown'];
    const member = await mail.member();
    const answers = await Promise.all(Array.from({ length: 12 }, () => mail.send(member, key)));
    const drafted = answers.filter(({ result }) => result.status === 'drafted');
    expect(new Set(drafted.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ result }) => !outcomes.includes(result.status))).toEqual([]);
    expect(answers.filter((answer) => answer.header('idempotent-replayed') === '')).toHaveLength(1);
    expect(countOf(member)).toBe(1);
    expect(await mail.history(member)).toHaveLength(1);
  });
});
