import assert from 'node:assert/strict';
import {
  approvalRoutes,
  type Member,
  membershipRoutes,
  webhookRoutes,
} from '@action-platform/contracts/resources';
import type { RawAnswer } from '@action-platform/testing';
import { Caller } from '@action-platform/testing/http';
import { setRules } from '../approval-rules.ts';
import type { SharedStack } from '../shared-stack.ts';
import { COLLEAGUE, MEMBER, OWNER } from '../workspace.ts';
import { type Fuzzed, makeFuzzed } from './references.ts';

/** The writes that wait for an approval. */
const RULES = [{ operations: ['record_store.delete_record', 'record_store.archive_record'] }];

/**
 * Makes a Workspace with what needs a person: rules, calls that wait, Owners, and secrets that were shown once.
 *
 * @returns it, and a check of answers, which throws an AssertionError when a decision was made, a rule changed, an Owner made or removed,
 * or an answer has a secret
 */
export async function makeGuarded(stack: SharedStack) {
  const { workspace, mark } = await makeFuzzed(stack);
  const token = await stack.operator.freshToken(workspace.id, OWNER);
  const { collection: collection_id, record: record_id, connection } = workspace.ids;

  // The example of a change of rules names the third revision.
  const revisions = Number(approvalRoutes.setRules.requestBody!.example!.revision);
  const approver = new Caller(stack.gateways[0]!, token);
  for (let revision = 0; revision < revisions; revision++) await setRules(approver, RULES);
  const waiting: string[] = [];
  for (const caller of [OWNER, MEMBER, 'record_store.delete_record', 'routine']) {
    const call = { collection_id, record_id };
    const held = await workspace.execute(caller, 'record_store.delete_record', call, 'run');
    waiting.push(String(held.headers['x-operation-approval-id']));
  }
  const owner = new Caller(stack.gateways[0]!, workspace.tokens[OWNER]!);
  const endpoint = { url: 'https://example.com/webhook' };
  const { secret } = await owner.request('POST', webhookRoutes.create.path, endpoint);
  const grants = Object.values(workspace.tokens).filter((each) => /^ap[or]_/.test(each));
  const secrets = [...grants, secret, token];
  const segments = [...waiting, ...waiting, OWNER, MEMBER, COLLEAGUE, connection];
  const fuzzed: Fuzzed = { workspace, mark, segments };

  const before = await stateOf(owner);
  assert.deepEqual(before.decided, []);
  const check = async (answers: readonly RawAnswer[]) => {
    for (const { headers, body } of answers) {
      const text = `${JSON.stringify(headers)}${body}`;
      const hasSecret = secrets.some((each) => text.includes(each));
      assert(!hasSecret, `an answer has a secret: ${body.slice(0, 300)}`);
    }
    assert.deepEqual(await stateOf(owner), before);
  };
  return { fuzzed, check };
}

async function stateOf(owner: Caller) {
  const { members } = await owner.request('GET', `${membershipRoutes.list.path}?limit=200`);
  const { approvals } = await owner.request('GET', `${approvalRoutes.list.path}?limit=200`);
  return {
    rules: await owner.request('GET', approvalRoutes.rules.path),
    owners: members.flatMap(({ role, userId }: Member) => (role === 'owner' ? [userId] : [])),
    decided: approvals.filter(({ decidedBy }: { decidedBy?: string }) => decidedBy !== undefined),
  };
}
