import { hash } from 'node:crypto';
import { hashGrantSecret, type Principal } from '@action-platform/contracts/authority';
import {
  addMember,
  authorize,
  connectApp,
  disconnectApp,
  findCustomOperation,
  grantedData,
  hold,
  issueTokens,
  registerClient,
  removeMember,
  revokeToken,
  setMemberRole,
} from '@action-platform/contracts/calls';
import {
  agentPolicyRoutes,
  agentRoutes,
  appConnectionRoutes,
  approvalRoutes,
  customOperationRoutes,
  grantRoutes,
  type SessionClaims,
} from '@action-platform/contracts/resources';
import type { Database } from '@action-platform/mongo';
import { profiled, shardingProblems, wasteful } from '@action-platform/testing';
import { beforeAll, expect, test } from '@jest/globals';
import { storedDocuments } from './stored-documents.ts';
import { holder, outcomeOf, session, testAuthority } from './test-support/test-authority.ts';

const PUBLIC_URL = 'https://platform.example.com';
const authority = testAuthority({ environment: { PUBLIC_URL, AGENT_SIGN_IN: 'true' } });
let database: Database;
beforeAll(async () => {
  database = await authority.platform.database('grants');
});

/** Rules, calls that they hold, decisions about them, and their listings. */
async function callsWithApproval(owner: SessionClaims, approver: SessionClaims): Promise<void> {
  const grant = await authority.operationGrant(owner, 'record_store.push_record');
  const rule = { callers: 'grants' as const, grantIds: [grant.grant.id] };
  for (let revision = 1; revision < 3; revision++)
    await authority.manage(owner, approvalRoutes.setRules, {
      revision,
      rules: [{ approvers: [approver.userId] }, { ...rule, approvers: [approver.userId] }],
    });
  await Promise.all(
    [owner, owner].map((who) => outcomeOf(authority.authorize(session(who), 'record_store.push_record'))),
  );
  const principal: Principal = { ...owner, role: 'owner', connections: {} };
  const ask = async (text: string) => {
    const call = {
      principal,
      operation: 'record_store.push_record',
      body: Buffer.from(text).toString('base64'),
    };
    return await outcomeOf(authority.platform.callAs('record-store', hold, call));
  };
  for (let i = 0; i < 15; i++) await ask(`{"a":${i}}`);
  const { approvals, nextCursor } = await authority.manage(owner, approvalRoutes.list, { limit: 5 });
  await authority.manage(owner, approvalRoutes.list, { limit: 5, cursor: nextCursor! });
  for (const member of [owner, approver])
    await authority.manage(member, approvalRoutes.list, { limit: 5, status: 'pending' });
  for (const { id } of approvals) {
    const decision = JSON.stringify({ id, decision: 'approve' });
    for (let i = 0; i < 2; i++) await authority.reply(owner, approvalRoutes.decide, decision);
  }
  for (const i of [14, 14, 13]) await ask(`{"a":${i}}`);
}

/** Custom operations, their changes, and calls of them. */
async function customOperations(owner: SessionClaims): Promise<void> {
  const fresh = { ...owner, isFresh: true } as const;
  const ids = Array.from({ length: 30 }, (_, index) => `custom.operation_${index}`);
  const definition = {
    title: 'Refund',
    description: 'Refunds an order.',
    effect: 'write',
    availability: 'workspace_member',
    url: 'https://orders.example.com/',
    inputSchema: { type: 'object', additionalProperties: false },
  } as const;
  const { put, list, get, remove } = customOperationRoutes;
  for (const id of ids) await authority.manage(fresh, put, { ...definition, id });
  await authority.manage(fresh, put, { ...definition, id: ids[0]!, title: 'Refund an order' });
  await authority.manage(owner, list, {});
  await authority.manage(owner, get, { id: ids[1]! });
  await authority.manage(fresh, remove, { id: ids[2]! });
  await Promise.all(
    [...ids, ids[0]!].map((id) =>
      outcomeOf(
        authority.platform.callAs('gateway', authorize, { credential: session(owner), operation: id }),
      ),
    ),
  );
  await authority.operationGrant(owner, ids[0]!);
  await authority.discover(session(owner));
  const named = { workspaceId: owner.workspaceId, id: ids[0]! };
  await authority.platform.callAs('custom-operations', findCustomOperation, named);
}

/** A consent, tokens, and calls with them. */
async function agents(owner: SessionClaims, member: SessionClaims): Promise<void> {
  const { platform } = authority;
  const redirectUri = 'https://agent.example.com/callback';
  const metadata = { name: 'Agent', redirectUris: [redirectUri] };
  const { clientId } = (await platform.callAs('gateway', registerClient, metadata)) as { clientId: string };
  await authority.manage(owner, agentPolicyRoutes.get, {});
  await authority.manage(member, agentRoutes.consent, { client_id: clientId, redirect_uri: redirectUri });
  const challenge = hash('sha256', 'verifier', 'base64url');
  const { redirectTo, grant } = await authority.manage(member, agentRoutes.authorize, {
    clientId,
    redirectUri,
    codeChallenge: challenge,
    resource: `${PUBLIC_URL}/mcp`,
    operations: ['record_store.get_usage'],
  });
  const code = hashGrantSecret(new URL(redirectTo).searchParams.get('code')!);
  const issue = async (
    shown: { kind: 'code'; challenge: string } | { kind: 'refresh' },
    secretHash: string,
  ) => {
    const input = { shown: { ...shown, hash: secretHash, clientId } };
    const issued = await platform.callAs('gateway', issueTokens, input);
    if ('refused' in issued) throw new Error(issued.refused);
    return issued;
  };
  const first = await issue({ kind: 'code', challenge }, code);
  const refreshHash = hashGrantSecret(first.refreshToken!);
  const { accessToken } = await issue({ kind: 'refresh' }, refreshHash);
  const tokens = [first.accessToken, accessToken].map((token) => hashGrantSecret(token));
  await Promise.all(
    tokens.map((secretHash) =>
      authority.authorize({ kind: 'grant', secretHash, isToken: true }, 'record_store.get_usage'),
    ),
  );
  await authority.manage(member, grantRoutes.agent.list, { limit: 10 });
  await platform.callAs('gateway', revokeToken, { hash: refreshHash, clientId });
  await authority.manage(member, grantRoutes.agent.revoke, { id: grant.id });
}

test('every query of the service uses an index, also for its order, and examines few documents beyond its answer', async () => {
  const { owner, member } = await authority.colleagues({ mail: true });
  for (let i = 0; i < 60; i++) await authority.operationGrant(member, 'record_store.get_record');
  const single = await authority.operationGrant(owner, 'record_store.get_record');
  const maximumCadence = { invocations: 20, periodSeconds: 3600 };
  const routine = await authority.routineGrant(member, { maximumCadence });
  for (let i = 0; i < 20; i++)
    await authority.authorize(holder(routine), 'record_store.get_record', `run-${i}`);
  // Before the first rules their collection does not exist, and no index is asked.
  await authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules: [] });
  const policy = { clients: 'any' as const, listed: [], ownersMayConnect: true };
  await authority.manage(owner, agentPolicyRoutes.set, { revision: 0, ...policy });

  const queries = await profiled(database, async () => {
    await authority.authorize(session(member), 'record_store.get_record');
    // Look-ups that share a batch.
    const others = [session(owner), session(member), holder(single), holder(routine)];
    await Promise.all(
      others
        .flatMap((who) => [who, who, who])
        .map((who) => authority.authorize(who, 'record_store.get_record', 'run-7')),
    );
    await authority.authorize(holder(routine), 'record_store.get_record', 'run-7');
    await outcomeOf(authority.authorize(holder(routine), 'record_store.get_record', 'one-too-many'));
    const other = await authority.routineGrant(member);
    await authority.authorize(holder(other), 'record_store.get_record', 'run');
    await authority.discover(holder(other));
    await authority.platform.callAs('record-store', grantedData, { grantId: other.grant.id });
    for (let i = 0; i < 2; i++) await authority.operationGrant(member, 'record_store.get_record', 'a-key');
    for (let i = 0; i < 2; i++) await authority.routineGrant(member, { idempotencyKey: 'a-key' });
    for (const who of [member, owner]) {
      for (const kind of ['operation', 'routine'] as const) {
        const { nextCursor } = await authority.manage(who, grantRoutes[kind].list, { limit: 10 });
        if (nextCursor !== null)
          await authority.manage(who, grantRoutes[kind].list, { limit: 10, cursor: nextCursor });
      }
      await authority.manage(who, grantRoutes.routine.revoke, { id: other.grant.id });
    }
    await callsWithApproval(owner, member);
    await customOperations(owner);
    await agents(owner, member);
    await authority.manage(owner, agentPolicyRoutes.set, { revision: 1, ...policy });
    const target = { workspace: member.workspaceId, user: member.userId };
    await authority.admin(connectApp, { ...target, app: 'mail_suite' });
    const app = { ...target, app: 'mail_suite', email: 'ada@example.com' } as const;
    const { id } = (await authority.admin(connectApp, app)).connection;
    for (const query of [{}, { userId: member.userId }])
      await authority.manage(owner, appConnectionRoutes.list, query);
    await authority.operationGrant(member, 'mail.send_email');
    for (const stoppedGrants of [1, 0]) {
      const ended = await authority.manage(owner, appConnectionRoutes.disconnect, { id });
      expect(ended).toMatchObject({ stoppedGrants });
    }
    await authority.admin(disconnectApp, { ...target, app: 'mail_suite' });
    await authority.admin(removeMember, target);
    await authority.admin(addMember, { ...target, role: 'member' });
    await authority.admin(setMemberRole, { ...target, role: 'owner' });
  });

  // The background looks for changed mailboxes of all Workspaces.
  const ofCalls = queries.filter(
    ({ command }) => !JSON.stringify(command).includes('"filter":{"mailbox_changed_at"'),
  );
  const asked = new Set(queries.map(({ collection }) => collection));
  expect(asked).toEqual(
    new Set([
      'members',
      'grants',
      'runs',
      'workspaces',
      'approvals',
      'approval_rules',
      'custom_operations',
      'grant_tokens',
      'agent_policies',
    ]),
  );
  expect(queries.length).toBeGreaterThan(25);
  for (const { planSummary } of queries) expect(planSummary).toMatch(/^(IXSCAN|EXPRESS_IXSCAN|COUNT_SCAN) /);
  expect(wasteful(queries)).toEqual([]);
  expect(await shardingProblems('grants', database, storedDocuments, ofCalls)).toEqual([]);
});

test('a call that is refused because too many of its caller wait for an approval reads no approval', async () => {
  const { owner, member } = await authority.colleagues();
  await authority.manage(owner, approvalRoutes.setRules, { revision: 0, rules: [{}] });
  const principal: Principal = { ...member, role: 'member', connections: {} };
  const ask = async (n: number) => {
    const body = Buffer.from(`{"a":${n}}`).toString('base64');
    const call = { principal, operation: 'record_store.push_record', body };
    return await outcomeOf(authority.platform.callAs('record-store', hold, call));
  };
  for (let n = 0; n < 20; n++) expect(await ask(n)).toBe('ok');
  const queries = await profiled(database, async () => expect(await ask(20)).toBe('invalid_request'));
  const ofApprovals = queries.filter(({ collection }) => collection === 'approvals');
  expect(ofApprovals.length).toBeGreaterThanOrEqual(2);
  expect(ofApprovals.filter(({ docsExamined }) => docsExamined > 0)).toEqual([]);
});
