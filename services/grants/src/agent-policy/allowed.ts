import type { Role } from '@action-platform/contracts/authority';
import type { AgentPolicy } from '@action-platform/contracts/resources';

const DAY_MS = 86_400_000;

/** A grant of an agent, as a policy looks at it. */
interface AskedGrant {
  readonly operations: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The most that a policy allows a client for a Member with this role; a text says why it allows nothing. */
export function limitsOf({ clients, listed, ownersMayConnect }: AgentPolicy, clientId: string, role: Role) {
  if (role === 'owner' && !ownersMayConnect)
    return 'The policy of the Workspace does not let Owners connect programs.';
  const found = listed.find((each) => each.clientId === clientId);
  if (clients === 'listed' && found === undefined)
    return 'The policy of the Workspace does not list this program.';
  return { operations: found?.operations, maxDays: found?.maxDays };
}

/** Why a policy does not allow a grant; undefined when it does. The consent and every refresh ask it. */
export function whyNotAllowed(
  policy: AgentPolicy,
  clientId: string,
  role: Role,
  { operations, createdAt, expiresAt }: AskedGrant,
): string | undefined {
  const limits = limitsOf(policy, clientId, role);
  if (typeof limits === 'string') return limits;
  const refused = operations.filter((id) => limits.operations?.includes(id) === false);
  if (refused.length > 0)
    return `operations: the policy of the Workspace does not let this program have ${refused.join(', ')}.`;
  const { maxDays } = limits;
  if (maxDays !== undefined && expiresAt.getTime() - createdAt.getTime() > maxDays * DAY_MS)
    return `expiresAt: the policy of the Workspace lets this program act for at most ${maxDays} days.`;
  return undefined;
}
