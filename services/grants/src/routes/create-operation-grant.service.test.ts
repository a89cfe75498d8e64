import { isGrantSecret } from '@action-platform/contracts/authority';
import { grantRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { expectInvalid, inDays, outcomeOf, testAuthority } from '../test-support/test-authority.ts';

const authority = testAuthority({ recordStore: false });

const OPERATION = 'record_store.get_record';
const expiresAt = inDays(30);
const create = (
  member: SessionClaims,
  request: Partial<z.input<typeof grantRoutes.operation.create.input>> = {},
) =>
  authority.manage(member, grantRoutes.operation.create, {
    operationScope: OPERATION,
    expiresAt,
    ...request,
  });

describe('creating an operation grant', () => {
  test('answers the grant and its secret, and makes another one every time', async () => {
    const member = await authority.member();
    const { grant, secret } = await create(member, { name: 'CI' });
    expect(grant).toEqual({
      id: expect.stringMatching(/^ogr_/),
      kind: 'operation',
      name: 'CI',
      ...member,
      operationScope: OPERATION,
      createdAt: expect.any(String),
      expiresAt,
      lastUsedAt: null,
      secretHint: secret!.slice(-4),
      status: 'active',
    });
    expect(secret).toMatch(/^apo_/);
    expect(isGrantSecret(secret!)).toBe(true);
    const other = await create(member);
    expect(other.grant).not.toMatchObject({ id: grant.id });
    expect(other.secret).not.toBe(secret);
    expect(other.grant.name).toBeNull();
  });

  test.each(['record_store.no_such', 'record_store.create_collection', 'mail.send_email', '__proto__'])(
    'refuses %s, which this Member cannot call now, by name',
    async (operationScope) =>
      expectInvalid(create(await authority.member(), { operationScope }), operationScope),
  );

  test('takes an expiry in the future and at most 366 days ahead, in any notation of RFC 3339', async () => {
    const member = await authority.member();
    const now = new Date().toISOString();
    for (const wrong of [now, inDays(-1), inDays(366.01), '9999-12-31T23:59:59Z'])
      await expectInvalid(create(member, { expiresAt: wrong }), 'expiresAt');
    expect(await outcomeOf(create(member, { expiresAt: inDays(365.99) }))).toBe('ok');
    const inIndia = new Date(Date.parse(expiresAt) + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    for (const written of [
      inIndia,
      expiresAt.toLowerCase(),
      expiresAt.replace('T', 't'),
      expiresAt.replace('Z', 'z'),
    ])
      expect((await create(member, { expiresAt: written })).grant.expiresAt).toBe(expiresAt);
  });
});
