import { addMember, type Role, removeMember, setMemberRole } from '@action-platform/contracts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGrant, send } from './http.ts';
import { SharedStack } from './shared-stack.ts';
import { execute } from './stack-process.ts';

jest.setTimeout(120_000);

let stack: SharedStack;
let gateways: readonly string[];
let workspace: string;

beforeAll(async () => {
  stack = await SharedStack.join();
  gateways = stack.gateways;
  workspace = await stack.operator.workspace();
});
afterAll(() => stack.leave());

const newMember = (user: string, role: Role) => stack.operator.member(workspace, user, role);

const newGrant = (token: string) =>
  createGrant(gateways[0]!, token, { operationScope: 'record_store.list_collections' });

/** The distinct answers to many concurrent calls through every gateway: 'ok' or the error code. */
async function answers(token: string): Promise<string[]> {
  const calls = Array.from({ length: 16 }, (_, index) =>
    execute(gateways[index % gateways.length]!, token, 'record_store.list_collections', {}),
  );
  return [
    ...new Set(
      (await Promise.all(calls)).map(({ status, body }) => (status === 200 ? 'ok' : body.error!.code)),
    ),
  ];
}

describe('with two replicas of every service, the very next call is refused after', () => {
  test('a grant is revoked', async () => {
    const token = await newMember('reva', 'member');
    for (let round = 0; round < 20; round++) {
      const { id, secret } = await newGrant(token);
      expect(await answers(secret)).toEqual(['ok']);
      const path = `/api/v1/operation-grants/${id}`;
      const revoked = await send(gateways[round % 2]!, { method: 'DELETE', path, token });
      expect(revoked.status).toBe(200);
      expect(await answers(secret)).toEqual(['grant_revoked']);
    }
  });

  test('a Member is removed', async () => {
    const token = await newMember('remo', 'member');
    const { secret } = await newGrant(token);
    expect(await answers(token)).toEqual(['ok']);
    await stack.operator.call(removeMember, { workspace, user: 'remo' });
    expect(await answers(token)).toEqual(['workspace_membership_required']);
    expect(await answers(secret)).toEqual(['grant_member_removed']);
    await stack.operator.call(addMember, { workspace, user: 'remo', role: 'member' });
    expect(await answers(token)).toEqual(['ok']);
    expect(await answers(secret)).toEqual(['grant_member_removed']);
  });

  test('a role changes', async () => {
    const token = await newMember('rolf', 'owner');
    const { secret } = await newGrant(token);
    const create = () =>
      execute(gateways[1]!, token, 'record_store.create_collection', { name: `by ${Date.now()}` });
    expect((await create()).status).toBe(200);
    await stack.operator.call(setMemberRole, { workspace, user: 'rolf', role: 'member', force: true });
    expect((await create()).body.error?.code).toBe('owner_role_required');
    expect(await answers(secret)).toEqual(['grant_role_changed']);
    await stack.operator.call(setMemberRole, { workspace, user: 'rolf', role: 'owner' });
    expect((await create()).status).toBe(200);
    expect(await answers(secret)).toEqual(['grant_role_changed']);
  });
});
