import { type Call, grantRoutes, removeMember } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ recordStore: false }));
afterAll(() => authority.stop());

const calls: Call[] = Object.values(grantRoutes).flatMap((ofKind): Call[] => Object.values(ofKind));
/** Bodies that grants refuses for a Member: no JSON, no object, a missing field, an unknown field. */
const bodies = ['{"name":', '\xff', '[]', 'null', '{}', '{"unknown":true}', '{"limit":0,"id":7}'];

test.each(calls.map((call) => [call.subject, call] as const))(
  '%s reports errors of the input to Members only',
  async (_subject, call) => {
    const member = await authority.member();
    const removed = await authority.member({ workspace: member.workspaceId });
    await authority.admin(removeMember, { workspace: removed.workspaceId, user: removed.userId });
    const unknown = { ...member, userId: 'unknown' };
    const elsewhere = { ...member, workspaceId: 'ws_none' };
    for (const body of bodies) {
      for (const outsider of [removed, unknown, elsewhere]) {
        expect(await authority.outcomeOfBody(outsider, call, body)).toBe('workspace_membership_required');
      }
    }
    expect(await authority.outcomeOfBody(member, call, '{"name":')).toBe('invalid_json');
    expect(await authority.outcomeOfBody(member, call, '{"limit":0,"id":7}')).toBe('invalid_request');
  },
);
