import { grantOf, jobOf } from '@action-platform/contracts/authority';
import { hold, type Origin } from '@action-platform/contracts/calls';
import { newId } from '@action-platform/contracts/ids';
import type { ExactJson } from '@action-platform/json';
import { type CallContext, type ServedCall, serveCall } from '@action-platform/service-host';
import type { z } from 'zod';
import type { Holding } from '../approval-rules/rules.ts';
import { callDigest, inputIn } from '../approvals/call-digest.ts';
import { approvalStatus } from '../approvals/states.ts';
import { isStillBacked } from '../approvals/status.ts';
import type { ApprovalOfCall } from '../approvals/stored-approval.ts';
import type { Dependencies } from '../dependencies.ts';
import type { AsOf } from '../grants/database-time.ts';
import { memberKey } from '../members/stored-member.ts';

type HeldCall = z.output<typeof hold.input>;
type Verdict = z.output<typeof hold.output>;

/**
 * `grants.hold`: decides about a write that a rule may hold, by the rules, the caller and the approver as they are now. A call that
 * meets no approval that counts asks the Owners and approvers.
 */
export function serveHold(dependencies: Dependencies): ServedCall {
  const { members, rules, approvals, now } = dependencies;
  return serveCall(hold, async (call, context): Promise<Verdict> => {
    const { principal, operation, key, revision } = call;
    const { workspaceId: workspace_id, userId: user_id } = principal;
    const input = inputIn(call.body);
    const write = { operation, grantId: grantOf(principal) };
    const holding = await rules.holding(workspace_id, write, input.text, context);
    // `authorize` has checked the Member of a call that no rule fits.
    if (holding === undefined) return { verdict: 'free' };
    const member = await members.signedIn(principal, context);
    const held = { principal, operation, key, revision, input };
    const digest = await callDigest(held, member.epoch, context);
    if (call.spent !== undefined) await approvals.spend(call.spent, { workspace_id, digest }, context);
    for (;;) {
      const last = await approvals.last({ workspace_id, digest }, context);
      const present = last && (await verdictBy(dependencies, last, holding, context));
      if (present?.verdict === 'approved')
        return { ...present, ...(await approvedBody(dependencies, last!, input, context)) };
      if (present !== undefined) return present;
      const question = {
        _id: newId('approval'),
        workspace_id,
        user_id,
        digest,
        number: (last?.number ?? 0) + 1,
        operation,
        idempotency_key: key ?? null,
        input: input.text,
        prevent_self_approval: holding.preventsSelfApproval,
        held_by: holding.heldBy,
        ...(holding.approvers.length > 0 && { approvers: holding.approvers }),
        origin: originOf(call, context),
        ...(last && { former_id: last._id }),
      };
      const asked = await approvals.ask(question, last?.as_of ?? (await now(context)), context);
      // `ask` returns false when an equal call has stored the same question at this moment.
      if (asked) return { verdict: 'waiting', approvalId: question._id };
    }
  });
}

/** The verdict of the last approval of a call; undefined when it counts no more. */
async function verdictBy(
  { approvals, members }: Dependencies,
  approval: AsOf<ApprovalOfCall>,
  holding: Holding,
  context: CallContext,
): Promise<Verdict | undefined> {
  const { _id: approvalId, workspace_id, decision, use, as_of } = approval;
  const status = approvalStatus(approval, as_of);
  if (status === 'pending') return { verdict: 'waiting', approvalId };
  if (status === 'rejected') return { verdict: status, approvalId, reason: decision!.reason };
  if (status === 'lapsed' || (use !== undefined && use.until <= as_of)) return undefined;

  const approver = await members.find(memberKey(workspace_id, decision!.by), context);
  if (!isStillBacked(approval, approver, holding)) {
    await approvals.end(approval, context);
    return undefined;
  }
  if (use === undefined && (await approvals.use(approval, context)) === undefined) {
    // An equal call has used the approval at this moment, or the approval has lapsed.
    const again = await approvals.last(approval, context);
    if (again?._id !== approvalId || again.use === undefined) return undefined;
  }
  return { verdict: 'approved', approvalId };
}

/** The body that the Owner has read, when that of the repeated call is the same by value alone. */
async function approvedBody(
  { approvals }: Dependencies,
  approval: ApprovalOfCall,
  { text }: ExactJson,
  context: CallContext,
): Promise<{ readonly body?: string }> {
  const approved = await approvals.inputOf(approval, context);
  return approved === undefined || approved === text
    ? {}
    : { body: Buffer.from(approved).toString('base64') };
}

function originOf({ principal }: HeldCall, { origin }: CallContext): Origin {
  const grant_id = grantOf(principal);
  const job = jobOf(principal);
  return {
    ...origin,
    user_id: principal.userId,
    ...(grant_id !== undefined && { grant_id }),
    ...(job && { invocation_id: job.invocationId }),
  };
}
