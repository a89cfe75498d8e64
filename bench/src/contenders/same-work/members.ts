import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';
import type { Session } from './sessions.ts';

/** A caller whose membership was checked. */
export interface Principal extends Session {
  readonly role: 'owner' | 'member';
}

/** Reads the membership of a caller, at majority, on every call. */
export async function findPrincipal({ members }: Database, session: Session): Promise<Principal> {
  const { workspaceId, userId } = session;
  const member = await members.findOne({ _id: memberId(workspaceId, userId) });
  if (member === null) throw new Refusal(403, 'workspace_membership_required');
  return { workspaceId, userId, role: member.role };
}

/** The `_id` of a membership. */
export function memberId(workspaceId: string, userId: string): string {
  return `${workspaceId}/${userId}`;
}
