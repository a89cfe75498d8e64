import { busHeaders } from '@action-platform/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Collection } from 'mongodb';
import type { StoredSubmission } from '../attempts/stored-attempt.ts';
import { type Fault, Faults, faulty } from '../test-support/faulty-provider.ts';
import { RemoteMailSystem } from '../test-support/remote-mail-system.ts';
import { TestMail } from '../test-support/test-mail.ts';

const mail = new TestMail();
const faults = new Faults();
let remote = new RemoteMailSystem();
let submissions: Collection<StoredSubmission>;
beforeAll(async () => {
  await mail.startTwoWith(async () => ({
    name: 'local',
    createsOnce: false,
    settings: remote.settings,
    needsSecret: remote.needsSecret,
    signIn: () => remote.signIn(),
    findDraft: (...found) => faulty(remote, faults).findDraft(...found),
    createDraft: (...created) => faulty(remote, faults).createDraft(...created),
  }));
  submissions = (await mail.platform.database('mail')).db.collection('attempts');
});
beforeEach(() => {
  faults.clear();
  remote = new RemoteMailSystem();
});
afterAll(() => mail.stop());

const key = { idempotency_key: 'key-1' };

/** Makes every lease expire. */
async function expireLeases(): Promise<void> {
  await submissions.updateMany({ lease: { $exists: true } }, { $set: { 'lease.until': new Date(0) } });
}

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
  test('the outcome and its correlation are recorded and repeated', async () => {
    const member = await mail.member();
    const first = await mail.send(member, key);
    expect(first.result).toMatchObject({
      status: 'drafted',
      draft_id: 'remote-0',
      draft_url: 'https://mail.example.com/drafts/0',
      graph_correlation: { graph_request_id: 'request-0', http_status: 201 },
    });
    expect((await mail.send(member, key)).text).toBe(first.text);
    expect(remote.markers).toHaveLength(1);
  });

  test('while one call holds the lease, others answer unknown and make no draft', async () => {
    const member = await mail.member();
    const creation = gate();
    remote.beforeCreate = creation.pass;
    const first = mail.send(member, key);
    await creation.arrived;
    const others = await Promise.all([mail.send(member, key), mail.send(member, key)]);
    for (const answer of others) {
      expect(answer.result).toMatchObject({
        status: 'unknown',
        next: expect.stringContaining('in 30 seconds'),
      });
      expect(answer.header(busHeaders.retryAfter)).toBe('30');
    }
    creation.open();
    expect((await first).result.status).toBe('drafted');
    expect((await mail.send(member, key)).result.draft_id).toBe('remote-0');
    expect(remote.markers).toHaveLength(1);
  });

  test('the draft of an attempt that died is found at once', async () => {
    const member = await mail.member();
    faults.plan('dies after');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    const retry = await mail.send(member, key);
    expect(retry.result).toMatchObject({ status: 'drafted', draft_id: 'remote-0' });
    expect(retry.header('idempotent-replayed')).toBe('true');
    expect(remote.markers).toHaveLength(1);
  });

  test('a missing draft is made once the lease of the dead attempt has expired, not before', async () => {
    const member = await mail.member();
    faults.plan('dies before');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    expect(remote.markers).toHaveLength(0);
    await expireLeases();
    expect((await mail.send(member, key)).result.status).toBe('drafted');
    expect(remote.markers).toHaveLength(1);
  });

  test('an attempt that lost its lease while it searched for the draft does not make one', async () => {
    const member = await mail.member();
    faults.plan('dies before');
    await mail.send(member, key);
    await expireLeases();
    const search = gate();
    remote.beforeFind = search.pass;
    const slow = mail.send(member, key);
    await search.arrived;
    remote.beforeFind = async () => {};

    await expireLeases();
    faults.plan('dies after');
    expect((await mail.send(member, key)).result.status).toBe('unknown');
    await expireLeases();
    search.open();
    expect((await slow).result.status).toBe('unknown');
    expect((await mail.send(member, key)).result).toMatchObject({ status: 'drafted', draft_id: 'remote-0' });
    expect(remote.markers).toHaveLength(1);
  });

  test('a slow draft replaces the failure of a later attempt', async () => {
    const member = await mail.member();
    const creation = gate();
    remote.beforeCreate = creation.pass;
    const slow = mail.send(member, key);
    await creation.arrived;
    await expireLeases();
    faults.plan('is refused');
    expect((await mail.send(member, key)).result.status).toBe('failed');
    creation.open();
    expect((await slow).result.status).toBe('drafted');
    expect((await mail.send(member, key)).result).toMatchObject({ status: 'drafted', draft_id: 'remote-0' });
  });

  test('there is never a second draft, wherever attempts die and however they interleave', async () => {
    const fault = fc.constantFrom<Fault | 'none'>('none', 'dies before', 'dies after');
    const waves = fc.array(
      fc.record({ calls: fc.integer({ min: 1, max: 4 }), fault, isLater: fc.boolean() }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(waves, async (planned) => {
        remote = new RemoteMailSystem();
        const member = await mail.member();
        for (const { calls, fault, isLater } of planned) {
          if (fault !== 'none') faults.plan(fault);
          await Promise.all(Array.from({ length: calls }, () => mail.send(member, key)));
          faults.clear();
          if (isLater) await expireLeases();
          expect(remote.markers.length).toBeLessThanOrEqual(1);
        }
        await expireLeases();
        expect((await mail.send(member, key)).result.status).toBe('drafted');
        expect(remote.markers).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });
});
