import { busHeaders } from '@action-platform/contracts/bus';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredSubmission } from '../attempts/stored-attempt.ts';
import { mailInTests } from '../test-support/test-mail.ts';

const mail = mailInTests({ replicas: 2 });
const { system } = mail;
const { faults, drafts } = system;
beforeEach(() => {
  for (const list of [faults, drafts]) list.length = 0;
  system.beforeFind = system.beforeCreate = async () => {};
});

const key = { idempotency_key: 'key-1' };

/** A gate that reports an arrival and holds it until it opens. */
function gate() {
  const [arrived, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const pass = () => {
    arrived.resolve();
    return open.promise;
  };
  return { pass, arrived: arrived.promise, open: open.resolve };
}

describe('with a provider that makes a draft at every call', () => {
  test('while one call holds the lease, others answer unknown and make no draft', async () => {
    const member = await mail.member();
    const creation = gate();
    system.beforeCreate = creation.pass;
    const first = mail.send(member, key);
    await creation.arrived;
    const others = await Promise.all([mail.send(member, key), mail.send(member, key)]);
    for (const answer of others) {
      const seconds = answer.header(busHeaders.retryAfter);
      expect(answer.result).toMatchObject({
        status: 'unknown',
        next: expect.stringContaining(`in ${seconds} seconds`),
      });
      expect(Number(seconds)).toBeLessThanOrEqual(30);
    }
    creation.open();
    expect((await first).result.status).toBe('drafted');
    expect((await mail.send(member, key)).result.draft_id).toBe('draft-0');
    expect(drafts).toHaveLength(1);
  });

  test('a missing draft is made once the lease of the dead attempt has expired, not before', async () => {
    const member = await mail.member();
    faults.push('dies before');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    expect(drafts).toHaveLength(0);
    await mail.expireLeases();
    expect((await mail.send(member, key)).result.status).toBe('drafted');
    expect(drafts).toHaveLength(1);
  });

  test('an attempt that lost its lease while it searched for the draft does not make one', async () => {
    const member = await mail.member();
    faults.push('dies before');
    await mail.send(member, key);
    await mail.expireLeases();
    const search = gate();
    system.beforeFind = search.pass;
    const slow = mail.send(member, key);
    await search.arrived;
    system.beforeFind = async () => {};

    await mail.expireLeases();
    faults.push('dies after');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    await mail.expireLeases();
    search.open();
    expect((await slow).result.status).toBe('unknown');
    expect((await mail.send(member, key)).result).toMatchObject({ status: 'drafted', draft_id: 'draft-0' });
    expect(drafts).toHaveLength(1);
  });

  test('an attempt that ended its process has the next lease last twice as long; one that ended in doubt does not', async () => {
    const member = await mail.member();
    const { db } = await mail.platform.database('mail');
    const attempts = db.collection<StoredSubmission>('attempts');
    const leaseSeconds = async () => {
      const { lease } = (await attempts.findOne({ workspace_id: member.workspaceId }))!;
      return { seconds: Math.round((lease!.until.getTime() - Date.now()) / 30_000) * 30, lease: lease! };
    };
    for (let inDoubt = 0; inDoubt < 2; inDoubt++) {
      faults.push('dies before');
      await mail.send(member, key);
      const { seconds, lease } = await leaseSeconds();
      expect(seconds).toBe(30);
      expect(lease).not.toHaveProperty('begun_by');
      await mail.expireLeases();
    }
    // The mark of a process that ended in the second attempt.
    await attempts.updateOne({ workspace_id: member.workspaceId }, [
      { $set: { 'lease.begun_by': '$lease.owner' } },
    ]);
    const creation = gate();
    system.beforeCreate = creation.pass;
    const next = mail.send(member, key);
    await creation.arrived;
    expect((await leaseSeconds()).seconds).toBe(60);
    const waits = await mail.send(member, key);
    expect(Number(waits.header(busHeaders.retryAfter))).toBeGreaterThan(30);
    creation.open();
    expect((await next).result.status).toBe('drafted');
  });

  test('a slow draft replaces the failure of a later attempt', async () => {
    const member = await mail.member();
    const creation = gate();
    system.beforeCreate = creation.pass;
    const slow = mail.send(member, key);
    await creation.arrived;
    await mail.expireLeases();
    faults.push('is refused');
    expect((await mail.send(member, key)).result.status).toBe('failed');
    creation.open();
    expect((await slow).result.status).toBe('drafted');
    expect((await mail.send(member, key)).result).toMatchObject({ status: 'drafted', draft_id: 'draft-0' });
  });
});
