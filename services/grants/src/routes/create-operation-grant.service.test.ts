import { grantRoutes, isGrantSecret } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inDays, outcomeOf, refusal, TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ recordStore: false }));
afterAll(() => authority.stop());

const request = { operationScope: 'record_store.get_record', expiresAt: inDays(30) };

describe('creating an operation grant', () => {
  test('answers the grant and its secret', async () => {
    const member = await authority.member();
    const { grant, secret } = await authority.manage(member, grantRoutes.operation.create, {
      ...request,
      name: 'CI',
    });
    expect(grant).toEqual({
      id: expect.stringMatching(/^ogr_/),
      kind: 'operation',
      name: 'CI',
      ...member,
      operationScope: 'record_store.get_record',
      createdAt: expect.any(String),
      expiresAt: request.expiresAt,
      lastUsedAt: null,
      secretHint: secret!.slice(-4),
      status: 'active',
    });
    expect(secret).toMatch(/^apo_/);
    expect(isGrantSecret(secret!)).toBe(true);
  });

  test('makes another grant every time, and a name is optional', async () => {
    const member = await authority.member();
    const [one, other] = [
      await authority.manage(member, grantRoutes.operation.create, request),
      await authority.manage(member, grantRoutes.operation.create, request),
    ];
    expect(one.grant.id).not.toBe(other.grant.id);
    expect(one.secret).not.toBe(other.secret);
    expect(one.grant.name).toBeNull();
  });

  test.each(['record_store.no_such', 'record_store.create_collection', 'mail.send_email', '__proto__'])(
    'refuses %s, which this Member cannot call now, by name',
    async (operationScope) => {
      const member = await authority.member();
      const error = await refusal(
        authority.manage(member, grantRoutes.operation.create, { ...request, operationScope }),
      );
      expect(error.code).toBe('invalid_request');
      expect(error.message).toContain(operationScope);
    },
  );

  test('accepts the operations that role and connected apps allow', async () => {
    const owner = await authority.member({ role: 'owner', mail: true });
    for (const operationScope of ['record_store.create_collection', 'mail.send_email']) {
      const { grant } = await authority.manage(owner, grantRoutes.operation.create, {
        ...request,
        operationScope,
      });
      expect(grant.status).toBe('active');
    }
  });

  test('takes an expiry in the future and at most 366 days ahead, in any time zone', async () => {
    const member = await authority.member();
    const create = (expiresAt: string) =>
      authority.manage(member, grantRoutes.operation.create, { ...request, expiresAt });
    for (const expiresAt of [new Date().toISOString(), inDays(-1), inDays(366.01), '9999-12-31T23:59:59Z']) {
      const error = await refusal(create(expiresAt));
      expect([error.code, error.message]).toEqual(['invalid_request', expect.stringContaining('expiresAt')]);
    }
    expect(await outcomeOf(create(inDays(365.99)))).toBe('ok');
    const inAnHour = new Date(Date.now() + 3_600_000);
    const inIndia = `${new Date(inAnHour.getTime() + 5.5 * 3_600_000).toISOString().slice(0, -1)}+05:30`;
    expect((await create(inIndia)).grant.expiresAt).toBe(inAnHour.toISOString());
  });

  test('takes an expiry with T and Z in either case', async () => {
    const member = await authority.member();
    const expiresAt = inDays(30);
    for (const written of [
      expiresAt.toLowerCase(),
      expiresAt.replace('T', 't'),
      expiresAt.replace('Z', 'z'),
    ]) {
      const { grant } = await authority.manage(member, grantRoutes.operation.create, {
        ...request,
        expiresAt: written,
      });
      expect(grant.expiresAt).toBe(expiresAt);
    }
  });
});
