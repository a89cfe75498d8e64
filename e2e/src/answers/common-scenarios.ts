import { disconnectApp, type Operation, removeMember, setMemberRole } from '@action-platform/contracts';
import { run, type Scenarios } from './scenario.ts';
import { OUTPUT_DEFINITION } from './world.ts';

/** Codes that every operation, or every operation of a kind, can answer with. */
export const commonScenarios: Scenarios = {
  invalid_json: (world, { id }) => world.call(world.owner.token, id, '{"'),
  invalid_request: (world, { id }) => world.call(world.owner.token, id, { nonsense: true }),
  request_body_too_large: (world, { id }) =>
    world.call(world.owner.token, id, `"${'x'.repeat(2 * 1024 * 1024)}"`),

  authentication_required: (world, { id }) => world.call(undefined, id),
  invalid_token: (world, { id }) => world.call('nonsense', id),
  token_expired: async (world, { id }) =>
    world.call(await world.operator.token(world.workspace, world.owner.user, -60), id),
  grant_expired: async (world, { id }) => {
    const { secret } = await world.expiredGrant(id);
    return await world.call(secret, id);
  },
  grant_revoked: async (world, { id }) => {
    const grant = await world.operationGrant(world.owner.token, id);
    await world.revoke(grant, world.owner.token);
    return await world.call(grant.secret, id);
  },

  unknown_operation: (world, { id }) => world.call(world.owner.token, `${id}s`),
  workspace_membership_required: async (world, { id }) =>
    world.call(await world.operator.token(world.workspace, 'non-member'), id),
  owner_role_required: (world, { id }) => world.call(world.member.token, id),
  connected_app_required: (world, { id }) => world.call(world.member.token, id),

  grant_member_removed: async (world, { id }) => {
    const { user, token } = await world.person('owner');
    const { secret } = await world.operationGrant(token, id);
    await world.operator.call(removeMember, { workspace: world.workspace, user });
    return await world.call(secret, id);
  },
  grant_role_changed: async (world, { id }) => {
    const { user, token } = await world.person('owner');
    const { secret } = await world.operationGrant(token, id);
    await world.operator.call(setMemberRole, { workspace: world.workspace, user, role: 'member' });
    return await world.call(secret, id);
  },
  grant_app_disconnected: async (world, operation) => {
    const { user, token } = await world.person('owner');
    const { secret } = await world.routineGrant(token, operation);
    await world.operator.call(disconnectApp, { workspace: world.workspace, user, app: 'mail_suite' });
    return await world.call(secret, operation.id, {}, run('1'));
  },
  grant_scope_exceeded: async (world, { id }) => {
    const other = id === 'record_store.get_record' ? 'record_store.push_record' : 'record_store.get_record';
    const { secret } = await world.operationGrant(world.owner.token, other);
    return await world.call(secret, id);
  },
  routine_invocation_id_required: async (world, operation) => {
    const { secret } = await world.routineGrant(world.owner.token, operation);
    return await world.call(secret, operation.id);
  },
  grant_cadence_exceeded: async (world, operation) => {
    const { secret } = await world.routineGrant(world.owner.token, operation, { invocations: 1 });
    await world.call(secret, operation.id, {}, run('first'));
    return await world.call(secret, operation.id, {}, run('second'));
  },
  grant_data_scope_exceeded: async (world, operation) => {
    const { secret } = await world.routineGrant(world.owner.token, operation);
    const inputs: Record<string, object> = {
      collectionIds: { ...(await world.input(operation)), ...collectionElsewhere(operation) },
      senderIds: {
        ...operation.example,
        sender_id: world.scheduledSender,
        output_definition: OUTPUT_DEFINITION,
      },
      fileScopes: { scope: 'company' },
    };
    return await world.call(secret, operation.id, inputs[operation.dataScope!.kind]!, run('1'));
  },
};

/** A Collection outside the data scope of a grant, in the field of the operation. */
function collectionElsewhere({ input }: Operation): object {
  const id = 'col_elsewhere';
  return 'collection_ids' in input.shape ? { collection_ids: [id] } : { collection_id: id };
}
