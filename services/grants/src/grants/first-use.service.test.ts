import { hashGrantSecret } from '@action-platform/contracts/authority';
import { inBackground } from '@action-platform/contracts/calls';
import { type createdGrant, grantRoutes } from '@action-platform/contracts/resources';
import { expect, test } from '@jest/globals';
import type { z } from 'zod';
import { inDays, outcomeOf, testAuthority } from '../test-support/test-authority.ts';
import { Grants } from './grants.ts';

const authority = testAuthority({ recordStore: false });

/** A grant before its first use, read by two replicas. */
async function unusedGrant() {
  const member = await authority.member();
  const request = { operationScope: 'record_store.get_record', expiresAt: inDays(1), idempotencyKey: 'key' };
  const create = (): Promise<z.output<typeof createdGrant>> =>
    authority.manage(member, grantRoutes.operation.create, request);
  const { secret } = await create();
  const grants = new Grants((await authority.collections()).grants);
  const read = (await grants.findBySecret(hashGrantSecret(secret!), inBackground))!;
  return { grants, read, create };
}

test('a first use after the secret was replaced is refused', async () => {
  const { grants, read, create } = await unusedGrant();
  expect((await create()).secret).toBeDefined();
  expect(await outcomeOf(grants.markUsed(read, inBackground))).toBe('invalid_token');
  expect((await create()).grant.lastUsedAt).toBeNull();
});

test('a repeated create after the first use replaces nothing', async () => {
  const { grants, read, create } = await unusedGrant();
  await grants.markUsed(read, inBackground);
  const fresh = { secret_hash: 'hash', secret_hint: 'hint' };
  expect(await grants.replaceUnusedSecret(read, fresh, inBackground)).toBeUndefined();
  expect((await create()).secret).toBeUndefined();
});

test('a slower use never sets the time of the last use back', async () => {
  const { grants, read } = await unusedGrant();
  const later = { ...read, as_of: new Date(read.as_of.getTime() + 5000) };
  await grants.markUsed(later, inBackground);
  await grants.markUsed(read, inBackground);
  const stored = await (await authority.collections()).grants.findOne({ _id: read._id });
  expect(stored!.last_used_at).toEqual(later.as_of);
});
