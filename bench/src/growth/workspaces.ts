import { newId } from '@action-platform/contracts/ids';
import type { RecordReference } from '../contenders/api.ts';
import { callOf } from '../scenarios.ts';
import { multiply, SMALL_PAYLOAD } from './multiply.ts';
import type { Side } from './pair.ts';
import type { GrowingCalls } from './scenario.ts';

/** Long enough for the first call of nearly every Workspace, which costs more. */
const WARM_UP_SECONDS = 8;

/** A filled-in Workspace, which has an Owner and one Record. */
interface FilledWorkspace {
  readonly workspace: string;
  readonly record: RecordReference;
}

/** Get and push in each of many Workspaces. */
export async function callsOfWorkspaces(side: Side, count: number): Promise<GrowingCalls> {
  const filled = await fillWorkspaces(side, count);
  const { user } = side.api;
  const tokens = await Promise.all(filled.map(({ workspace }) => side.platform.tokenFor(workspace, user)));
  const records = filled.map(({ record }) => record);
  const pushes = records.map(({ collection_id }) => ({ collection_id, payload: SMALL_PAYLOAD }));
  const warmUpSeconds = WARM_UP_SECONDS;
  return {
    get: { requests: callOf(tokens, 'record_store.get_record', records), warmUpSeconds },
    push: { requests: callOf(tokens, 'record_store.push_record', pushes), warmUpSeconds },
  };
}

/** Creates Workspaces like that of the side, which the platform wrote. */
async function fillWorkspaces({ api, stored }: Side, count: number): Promise<FilledWorkspace[]> {
  const first = await api.newRecord(SMALL_PAYLOAD);
  const filled = Array.from({ length: count }, () => ({
    workspace: newId('workspace'),
    record: { collection_id: newId('collection'), record_id: newId('record') },
  }));
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
  await like('grants', 'members', owner, filled, ({ workspace }) => {
    return { _id: { workspace_id: workspace, user_id: api.user } };
  });
  return filled;
}
