import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { execute, StackProcess } from './stack-process.ts';

jest.setTimeout(120_000);

const stack = new StackProcess();
let gateways: readonly string[];
let workspace: string;

beforeAll(async () => {
  const demo = await stack.start('--replicas', 'gateway=2,grants=2,record-store=2');
  gateways = demo.gateways;
  workspace = demo.workspace_id;
});
afterAll(() => stack.remove());

const memberOptions = (user: string) => ['--workspace', workspace, '--user', user];

function addMember(user: string, role: string): string {
  stack.admin('member', 'add', ...memberOptions(user), '--role', role);
  return (stack.admin('token', ...memberOptions(user)) as { token: string }).token;
}

async function createGrant(token: string, expiresInMs = 3_600_000): Promise<{ id: string; secret: string }> {
  const response = await fetch(`${gateways[0]}/api/v1/operation-grants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      operationScope: 'record_store.list_collections',
      expiresAt: new Date(Date.now() + expiresInMs).toISOString(),
    }),
  });
  expect(response.status).toBe(201);
  const { grant, secret } = (await response.json()) as { grant: { id: string }; secret: string };
  return { id: grant.id, secret };
}

/** The answers to many calls made at once through every gateway: 'ok' or the error code, without repetition. */
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
    const token = addMember('reva', 'member');
    for (let round = 0; round < 20; round++) {
      const { id, secret } = await createGrant(token);
      expect(await answers(secret)).toEqual(['ok']);
      const revoked = await fetch(`${gateways[round % 2]}/api/v1/operation-grants/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(revoked.status).toBe(200);
      expect(await answers(secret)).toEqual(['grant_revoked']);
    }
  });

  test('a grant expires', async () => {
    const { secret } = await createGrant(addMember('expa', 'member'), 1500);
    expect(await answers(secret)).toEqual(['ok']);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await answers(secret)).toEqual(['grant_expired']);
  });

  test('a Member is removed', async () => {
    const token = addMember('remo', 'member');
    const { secret } = await createGrant(token);
    expect(await answers(token)).toEqual(['ok']);
    stack.admin('member', 'remove', ...memberOptions('remo'));
    expect(await answers(token)).toEqual(['workspace_membership_required']);
    expect(await answers(secret)).toEqual(['grant_member_removed']);
    stack.admin('member', 'add', ...memberOptions('remo'), '--role', 'member');
    expect(await answers(token)).toEqual(['ok']);
    expect(await answers(secret)).toEqual(['grant_member_removed']);
  });

  test('a role changes', async () => {
    const token = addMember('rolf', 'owner');
    const { secret } = await createGrant(token);
    const create = () =>
      execute(gateways[1]!, token, 'record_store.create_collection', { name: `by ${Date.now()}` });
    expect((await create()).status).toBe(200);
    stack.admin('member', 'role', ...memberOptions('rolf'), '--role', 'member');
    expect((await create()).body.error?.code).toBe('owner_role_required');
    expect(await answers(secret)).toEqual(['grant_role_changed']);
    stack.admin('member', 'role', ...memberOptions('rolf'), '--role', 'owner');
    expect((await create()).status).toBe(200);
    expect(await answers(secret)).toEqual(['grant_role_changed']);
  });
});
