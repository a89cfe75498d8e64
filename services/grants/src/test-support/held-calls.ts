import type { Principal } from '@action-platform/contracts/authority';
import { type Call, hold } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { type Approval, approvalRoutes, type SessionClaims } from '@action-platform/contracts/resources';
import type { TestAuthority } from './test-authority.ts';

export const PUSH = 'record_store.push_record';
export const DELETE = 'record_store.delete_record';

export type Rules = (typeof approvalRoutes.setRules.input)['_zod']['input']['rules'];

export const asPrincipal = (claims: SessionClaims): Principal => ({
  ...claims,
  role: 'owner',
  connections: {},
});

/** Rules, the calls that they hold, and decisions. */
export function heldCalls(authority: TestAuthority) {
  /** A Workspace with an Owner whose writes, or those of others, its rules hold. */
  async function held(rules: Rules = [{}]) {
    const owner = await authority.member({ role: 'owner' });
    await setRules(owner, rules);
    return owner;
  }

  async function setRules(owner: SessionClaims, rules: Rules) {
    const { revision } = await authority.manage(owner, approvalRoutes.rules, {});
    return await authority.manage(owner, approvalRoutes.setRules, { revision, rules });
  }

  /** Asks about a call as its service does. */
  function ask(
    principal: Principal,
    { operation = PUSH, body = '{"a":1}', key }: { operation?: string; body?: string; key?: string } = {},
  ) {
    const input = { principal, operation, key, body: Buffer.from(body).toString('base64') };
    return authority.platform.callAs('record-store', hold, input);
  }

  async function waiting(principal: Principal, call?: Parameters<typeof ask>[1]): Promise<string> {
    const answer = await ask(principal, call);
    if (answer.verdict !== 'waiting') throw new Error(`the call is ${answer.verdict}`);
    return answer.approvalId;
  }

  /** A Member's call whose answer has the input of a held one, which no schema parses. */
  async function whole(member: SessionClaims, call: Call, input: object): Promise<Approval> {
    const { body, status } = await authority.reply(member, call, JSON.stringify(input));
    const answer = JSON.parse(Buffer.from(body).toString()) as { approval: Approval };
    if (status !== 200) throw ActionError.fromEnvelope(answer);
    return answer.approval;
  }

  const decide = (owner: SessionClaims, id: string, decision = 'approve', reason?: string) =>
    whole(owner, approvalRoutes.decide, { id, decision, reason });
  const read = (member: SessionClaims, id: string) => whole(member, approvalRoutes.get, { id });

  return { held, setRules, ask, waiting, decide, read };
}
