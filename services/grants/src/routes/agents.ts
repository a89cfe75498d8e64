import { mcpAddress } from '@action-platform/contracts/configuration';
import { invalidRequest } from '@action-platform/contracts/errors';
import {
  AGENT_GRANT_DAYS,
  agentPolicyRoutes,
  agentRoutes,
  redirectWith,
} from '@action-platform/contracts/resources';
import { type CallContext, type ServedCall, serveMemberRoute } from '@action-platform/service-host';
import { limitsOf, whyNotAllowed } from '../agent-policy/allowed.ts';
import { availableTo } from '../custom-operations/available.ts';
import { knownOperations } from '../custom-operations/known-operations.ts';
import type { Dependencies } from '../dependencies.ts';
import { createAgentGrant, expiryTime, grantableOperations } from '../grants/create-grant.ts';
import { distinctData, missingKind, requireVisible } from '../grants/data-scope.ts';
import { describeGrant } from '../grants/status.ts';
import type { Membership } from '../members/stored-member.ts';

/** The routes with which a Member lets a program act for them, and Owners limit that. */
export function serveAgentRoutes(dependencies: Dependencies): ServedCall[] {
  const { members, clients, policies, tokens, limits, otherServices } = dependencies;
  const { requireSignedIn, requireOwner } = members;
  return [
    serveMemberRoute(agentRoutes.consent, requireSignedIn, async (asked, context, member) => {
      requireAgents(dependencies);
      const client = await clients.find(asked.client_id, asked.redirect_uri, member._id.workspace_id);
      const { operations, maxDays } = await allowing(dependencies, client.id, member, context);
      const { ids, custom } = await availableTo(dependencies, member, operations, context);
      const all = [...ids, ...custom.map(({ id }) => id)];
      return { client, operations: all.toSorted(), maxDays };
    }),

    serveMemberRoute(agentRoutes.authorize, requireSignedIn, async (asked, context, member) => {
      const publicUrl = requireAgents(dependencies);
      if (asked.resource !== mcpAddress(publicUrl)) throw invalidRequest('resource: is not that of /mcp.');
      const { clientId, redirectUri, state } = asked;
      const { workspace_id } = member._id;
      const client = await clients.find(clientId, redirectUri, workspace_id);
      const { maxDays } = await allowing(dependencies, clientId, member, context);
      const data = distinctData(await otherServices.withCollectionIds(asked.data, workspace_id, context));
      const check = async (createdAt: Date) => {
        const expiresAt =
          asked.expiresAt === undefined
            ? daysAfter(createdAt, Math.min(AGENT_GRANT_DAYS, maxDays))
            : expiryTime(asked.expiresAt, createdAt, limits.GRANT_LIFETIME_MAX_DAYS);
        const known = await knownOperations(dependencies, workspace_id, asked.operations, context);
        const operations = grantableOperations(known, member, 'operations', asked.operations);
        const policy = await policies.of(workspace_id, context);
        const wanted = { operations: asked.operations, createdAt, expiresAt };
        const problem = whyNotAllowed(policy, clientId, member.role, wanted);
        if (problem !== undefined) throw invalidRequest(problem);
        for (const operation of operations) {
          const missing = missingKind(operation, data);
          if (missing !== undefined)
            throw invalidRequest(`data.${missing}: must list what ${operation.id} may reach.`);
        }
        await requireVisible(data, otherServices, member, context);
        return {
          operations,
          expiresAt,
          terms: { kind: 'agent', name: asked.name ?? null, data, client },
        } as const;
      };
      const kept = { redirect_uri: redirectUri, challenge: asked.codeChallenge };
      const { grant, code } = await createAgentGrant(dependencies, context, member, check, (created) =>
        tokens.newCode(created, kept, context),
      );
      const described = describeGrant(grant, { status: 'active' });
      if (described.kind !== 'agent') throw new Error('the grant of an agent has another kind');
      return { grant: described, redirectTo: redirectWith(redirectUri, { code, state, iss: publicUrl }) };
    }),

    serveMemberRoute(agentPolicyRoutes.get, requireOwner, async (_input, context, { _id }) =>
      policies.of(_id.workspace_id, context),
    ),

    serveMemberRoute(agentPolicyRoutes.set, requireOwner, async (policy, context, { _id }) => {
      const ids = policy.listed.flatMap(({ operations = [] }) => operations);
      const known = await knownOperations(dependencies, _id.workspace_id, ids, context, true);
      for (const [index, { clientId, operations = [] }] of policy.listed.entries()) {
        const unknown = operations.findIndex((id) => !known.has(id));
        if (unknown !== -1) throw invalidRequest(`listed[${index}].operations[${unknown}]: is no operation.`);
        const first = policy.listed.findIndex((each) => each.clientId === clientId);
        if (first !== index) throw invalidRequest(`listed[${index}].clientId: is that of listed[${first}].`);
      }
      return await policies.set(_id.workspace_id, policy, context);
    }),
  ];
}

/** The public URL of the platform; refuses (`invalid_request`) where agents do not sign in. */
function requireAgents({ agents: { areAllowed, publicUrl } }: Dependencies): string {
  if (areAllowed && publicUrl !== undefined) return publicUrl;
  throw invalidRequest('Agents do not sign in at this platform: an operator has not set AGENT_SIGN_IN.');
}

/** The most that the policy allows a client for a Member. @throws ActionError `invalid_request` when it allows nothing. */
async function allowing(
  { policies, limits }: Dependencies,
  clientId: string,
  { _id, role }: Membership,
  context: CallContext,
) {
  const found = limitsOf(await policies.of(_id.workspace_id, context), clientId, role);
  if (typeof found === 'string') throw invalidRequest(found);
  const most = limits.GRANT_LIFETIME_MAX_DAYS;
  return { operations: found.operations, maxDays: Math.min(found.maxDays ?? most, most) };
}

function daysAfter(time: Date, days: number): Date {
  return new Date(time.getTime() + days * 86_400_000);
}
