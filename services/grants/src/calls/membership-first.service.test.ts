import { type Call, grantCalls, removeMember } from '@action-platform/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestAuthority } from '../test-support/test-authority.ts';

const authority = new TestAuthority();
beforeAll(() => authority.start({ recordStore: false }));
afterAll(() => authority.stop());

const calls: Call[] = Object.values(grantCalls).flatMap((ofKind): Call[] => Object.values(ofKind));
/** Bodies that grants refuses for a Member: no JSON, no object, a missing field, an unknown field. */
const bodies = ['{"name":', '\xff', '[]', 'null', '{}', '{"unknown":true}', '{"limit":0,"id":7}'];

test.each(calls.map((call) => [call.subject, call] as const))(
  '%s tells nobody but a Member what is wrong with the input',
  async (_subject, call) => {
    const member = await authority.member();
    const removed = await authority.member({ workspace: member.workspaceId });
    await authority.admin(removeMember, { workspace: removed.workspaceId, user: removed.userId });
    const stranger = { ...member, userId: 'stranger' };
    const elsewhere = { ...member, workspaceId: 'ws_none' };
    for (const body of bodies) {
      for (const nobody of [removed, stranger, elsewhere]) {
        expect(await authority.outcomeOfBody(nobody, call, body)).toBe('workspace_membership_required');
      }
    }
    expect(await authority.outcomeOfBody(member, call, '{"name":')).toBe('invalid_json');
    expect(await authority.outcomeOfBody(member, call, '{"limit":0,"id":7}')).toBe('invalid_request');
  },
);
