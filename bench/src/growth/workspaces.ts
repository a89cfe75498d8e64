import { hashGrantSecret, newGrantSecret, newId } from '@action-platform/contracts';
import type { Api, RecordReference } from '../contenders/api.ts';
import { callOf, discovery } from '../scenarios.ts';
import { multiply, SMALL_PAYLOAD } from './multiply.ts';
import type { Side } from './pair.ts';
import type { GrowingCalls } from './scenario.ts';

const MEMBERS = 10;
/** The Workspaces whose grants call, as many as on the small side: the platform records a grant's first use in a minute. */
const CALLING = 100;
const DAY_MS = 86_400_000;
/** Long enough for the first call of nearly every Workspace, which costs more. */
const WARM_UP_SECONDS = 8;

/** A Member of a filled-in Workspace, which has one Record; the first of its ten Members is the Owner. Each has a grant. */
interface FilledMember {
  readonly workspace: string;
  readonly user: string;
  readonly role: 'owner' | 'member';
  readonly secret: string;
  readonly record: RecordReference;
}

/** Get and push in each of many Workspaces. */
export async function callsOfWorkspaces(side: Side, count: number): Promise<GrowingCalls> {
  const owners = (await fillWorkspaces(side, count)).filter(({ role }) => role === 'owner');
  const tokens = await Promise.all(
    owners.map(({ workspace, user }) => side.platform.tokenFor(workspace, user)),
  );
  const records = owners.map(({ record }) => record);
  const pushes = records.map(({ collection_id }) => ({ collection_id, payload: SMALL_PAYLOAD }));
  const warmUpSeconds = WARM_UP_SECONDS;
  return {
    get: { requests: callOf(tokens, 'record_store.get_record', records), warmUpSeconds },
    push: { requests: callOf(tokens, 'record_store.push_record', pushes), warmUpSeconds },
  };
}

/** Discovery and get beside many Members and grants. */
export async function callsOfMembersAndGrants(side: Side, count: number): Promise<GrowingCalls> {
  const members = await fillWorkspaces(side, count);
  const every = Math.max(1, Math.floor(count / CALLING));
  const calling = members.filter((_, index) => Math.floor(index / MEMBERS) % every === 0);
  const secrets = calling.map(({ secret }) => secret);
  const records = calling.map(({ record }) => record);
  return {
    'discovery of a Member': { requests: discovery([side.api.token]) },
    'discovery with grants': { requests: discovery(secrets) },
    'get with grants': { requests: callOf(secrets, 'record_store.get_record', records) },
  };
}

/** Creates Workspaces like that of the side, which the platform wrote; returns their Members. */
async function fillWorkspaces({ api, stored }: Side, count: number): Promise<FilledMember[]> {
  const first = await api.newRecord(SMALL_PAYLOAD);
  const grant = await newGrant(api);
  const filled = Array.from({ length: count }, () => ({
    workspace: newId('workspace'),
    record: { collection_id: newId('collection'), record_id: newId('record') },
  }));
  const members = filled.flatMap((workspace) =>
    Array.from({ length: MEMBERS }, (_, index) => ({
      ...workspace,
      user: `growth-member-${index}`,
      role: index === 0 ? ('owner' as const) : ('member' as const),
      secret: newGrantSecret('operation'),
    })),
  );
  const like = <One>(
    service: string,
    name: string,
    filter: object,
    ones: readonly One[],
    vary: (one: One) => object,
  ) => multiply(stored(service, name), filter, ones.length, (index) => vary(ones[index]!));

  await like('grants', 'workspaces', { _id: api.workspace }, filled, ({ workspace }) => ({ _id: workspace }));
  await like('record-store', 'collections', { _id: first.collection_id }, filled, (one) => ({
    _id: one.record.collection_id,
    workspace_id: one.workspace,
  }));
  const { bytes } = await like('record-store', 'records', { _id: first.record_id }, filled, (one) => ({
    _id: one.record.record_id,
    workspace_id: one.workspace,
    collection_id: one.record.collection_id,
    write_id: crypto.randomUUID(),
  }));
  await like('record-store', 'usage', { _id: api.workspace }, filled, ({ workspace }) => {
    return { _id: workspace, stored_bytes: bytes, reservations: [] };
  });
  const owner = { '_id.user_id': api.user, '_id.workspace_id': api.workspace };
  await like('grants', 'members', owner, members, ({ workspace, user, role }) => {
    return { _id: { workspace_id: workspace, user_id: user }, role };
  });
  await like('grants', 'grants', { _id: grant }, members, ({ workspace, user, secret }) => ({
    _id: newId('operationGrant'),
    workspace_id: workspace,
    user_id: user,
    secret_hash: hashGrantSecret(secret),
    secret_hint: secret.slice(-4),
  }));
  return members;
}

/** Creates a grant of the Owner; returns its id. */
async function newGrant(api: Api): Promise<string> {
  const response = await api.post('/api/v1/operation-grants', {
    operationScope: 'record_store.get_record',
    expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
  });
  return ((await response.json()) as { grant: { id: string } }).grant.id;
}
