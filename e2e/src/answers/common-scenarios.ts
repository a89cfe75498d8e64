import { disconnectApp, limitWorkspace, removeMember, setMemberRole } from '@action-platform/contracts/calls';
import type { Operation } from '@action-platform/contracts/operations';
import { OUTPUT_DEFINITION } from './fixture.ts';
import { run, type Scenarios } from './scenario.ts';

/** Codes that every operation, or every operation of a kind, can answer with. */
export const commonScenarios: Scenarios = {
  invalid_json: (fixture, { id }) => fixture.call(fixture.owner.token, id, '{"'),
  invalid_request: (fixture, { id }) => fixture.call(fixture.owner.token, id, { nonsense: true }),
  request_body_too_large: (fixture, { id }) =>
    fixture.call(fixture.owner.token, id, `"${'x'.repeat(2 * 1024 * 1024)}"`),

  authentication_required: (fixture, { id }) => fixture.call(undefined, id),
  invalid_token: (fixture, { id }) => fixture.call('nonsense', id),
  token_expired: async (fixture, { id }) =>
    fixture.call(await fixture.operator.token(fixture.workspace, fixture.owner.user, -60), id),
  grant_expired: async (fixture, { id }) => {
    const { secret } = await fixture.expiredGrant(id);
    return await fixture.call(secret, id);
  },
  grant_revoked: async (fixture, { id }) => {
    const grant = await fixture.operationGrant(fixture.owner.token, id);
    await fixture.revoke(grant, fixture.owner.token);
    return await fixture.call(grant.secret, id);
  },

  unknown_operation: (fixture, { id }) => fixture.call(fixture.owner.token, `${id}_anew`),
  workspace_membership_required: async (fixture, { id }) =>
    fixture.call(await fixture.operator.token(fixture.workspace, 'non-member'), id),
  workspace_suspended: async (fixture, { id }) => {
    const workspace = await fixture.operator.workspace();
    const token = await fixture.operator.member(workspace, 'mika', 'member');
    await fixture.operator.call(limitWorkspace, { workspace, suspend: true });
    return await fixture.call(token, id);
  },
  owner_role_required: (fixture, { id }) => fixture.call(fixture.member.token, id),
  connected_app_required: (fixture, { id }) => fixture.call(fixture.member.token, id),

  grant_member_removed: async (fixture, { id }) => {
    const { user, token } = await fixture.person('owner');
    const { secret } = await fixture.operationGrant(token, id);
    await fixture.operator.call(removeMember, { workspace: fixture.workspace, user });
    return await fixture.call(secret, id);
  },
  grant_role_changed: async (fixture, { id }) => {
    const { user, token } = await fixture.person('owner');
    const { secret } = await fixture.operationGrant(token, id);
    await fixture.operator.call(setMemberRole, { workspace: fixture.workspace, user, role: 'member' });
    return await fixture.call(secret, id);
  },
  grant_app_disconnected: async (fixture, operation) => {
    const { user, token } = await fixture.person('owner');
    const { secret } = await fixture.routineGrant(token, operation);
    await fixture.operator.call(disconnectApp, { workspace: fixture.workspace, user, app: 'mail_suite' });
    return await fixture.call(secret, operation.id, {}, run('1'));
  },
  grant_scope_exceeded: async (fixture, { id }) => {
    const other = id === 'record_store.get_record' ? 'record_store.push_record' : 'record_store.get_record';
    const { secret } = await fixture.operationGrant(fixture.owner.token, other);
    return await fixture.call(secret, id);
  },
  routine_invocation_id_required: async (fixture, operation) => {
    const { secret } = await fixture.routineGrant(fixture.owner.token, operation);
    return await fixture.call(secret, operation.id);
  },
  grant_cadence_exceeded: async (fixture, operation) => {
    const { secret } = await fixture.routineGrant(fixture.owner.token, operation, { invocations: 1 });
    await fixture.call(secret, operation.id, {}, run('first'));
    return await fixture.call(secret, operation.id, {}, run('second'));
  },
  grant_data_scope_exceeded: async (fixture, operation) => {
    const { secret } = await fixture.routineGrant(fixture.owner.token, operation);
    const inputs: Record<string, object> = {
      collectionIds: { ...(await fixture.input(operation)), ...collectionElsewhere(operation) },
      senderIds: {
        ...operation.example,
        sender_id: fixture.scheduledSender,
        output_definition: OUTPUT_DEFINITION,
      },
      fileScopes: { scope: 'company' },
    };
    return await fixture.call(secret, operation.id, inputs[operation.dataScope!.kind]!, run('1'));
  },
};

/** A Collection outside the data scope of a grant, in the field of the operation. */
function collectionElsewhere({ input }: Operation): object {
  const id = 'col_elsewhere';
  return 'collection_ids' in input.shape ? { collection_ids: [id] } : { collection_id: id };
}
