import type { Member } from '../members/member.ts';

/** A membership as operators see it. */
export function describeMember({ _id, role, status }: Member) {
  return { ..._id, role, status };
}
