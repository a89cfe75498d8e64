import { hashGrantSecret, newGrantSecret, newId } from '@action-platform/contracts';
import { newCollection, newRecord, type RecordReference } from '../../scenarios/sample-data.ts';
import type { Side } from '../side.ts';
import { multiply, storedOne } from './multiply.ts';
import { SMALL_PAYLOAD } from './records.ts';

const MEMBERS = 10;
const DAY_MS = 86_400_000;

/** The operations of each grant. */
const GRANTED = 'record_store.get_record';

/** A filled-in Workspace with one Record and ten Members, each with a grant. */
export interface FilledWorkspace {
  readonly workspace: string;
  readonly owner: string;
  readonly record: RecordReference;
  readonly secrets: readonly string[];
}

/** Creates Workspaces like the caller's, which the platform wrote. */
export async function fillWorkspaces(side: Side, count: number): Promise<FilledWorkspace[]> {
  const { api, caller, stored } = side;
  const record = await newRecord(api, await newCollection(api), SMALL_PAYLOAD);
  const filled = Array.from({ length: count }, () => ({
    workspace: newId('workspace'),
    owner: memberName(0),
    record: { collection_id: newId('collection'), record_id: newId('record') },
    secrets: Array.from({ length: MEMBERS }, () => newGrantSecret('operation')),
  }));

  const like = async (
    service: string,
    name: string,
    id: unknown,
    vary: (workspace: FilledWorkspace) => object,
  ) => {
    const documents = stored(service, name);
    const template = await storedOne(documents, { _id: id });
    await multiply(documents, count, template, (index) => vary(filled[index]!));
  };
  await like('grants', 'workspaces', caller.workspace, ({ workspace }) => ({ _id: workspace }));
  await like('record-store', 'collections', record.collection_id, (one) => ({
    _id: one.record.collection_id,
    workspace_id: one.workspace,
  }));
  await like('record-store', 'records', record.record_id, (one) => ({
    _id: one.record.record_id,
    workspace_id: one.workspace,
    collection_id: one.record.collection_id,
    write_id: crypto.randomUUID(),
  }));
  const { bytes } = await storedOne(stored('record-store', 'records'), { _id: record.record_id });
  await like('record-store', 'usage', caller.workspace, ({ workspace }) => ({
    _id: workspace,
    stored_bytes: bytes,
    reservations: [],
  }));

  const member = await storedOne(stored('grants', 'members'), { '_id.user_id': caller.user });
  await multiply(stored('grants', 'members'), count * MEMBERS, member, (index) => ({
    _id: {
      workspace_id: filled[Math.floor(index / MEMBERS)]!.workspace,
      user_id: memberName(index % MEMBERS),
    },
    role: index % MEMBERS === 0 ? 'owner' : 'member',
  }));
  await multiplyGrant(side, count * MEMBERS, (index) => {
    const { workspace, secrets } = filled[Math.floor(index / MEMBERS)]!;
    return { workspace, user: memberName(index % MEMBERS), secret: secrets[index % MEMBERS]! };
  });
  return filled;
}

/** Gives the caller, and other Members of their Workspace, as many grants as the limits allow. */
export async function fillGrantsOfCaller(side: Side): Promise<void> {
  const { workspace, user } = side.caller;
  const grant = (user: string) => ({ workspace, user, secret: newGrantSecret('operation') });
  await multiplyGrant(side, 999, () => grant(user));
  await multiplyGrant(side, 9_000, (index) => grant(memberName(index % 9)));
}

/** Stores grants like one that the platform creates for the caller. */
async function multiplyGrant(
  { api, stored }: Side,
  count: number,
  vary: (index: number) => { workspace: string; user: string; secret: string },
): Promise<void> {
  const response = await api.post('/api/v1/operation-grants', {
    operationScope: GRANTED,
    expiresAt: new Date(Date.now() + DAY_MS).toISOString(),
  });
  const { grant } = (await response.json()) as { grant: { id: string } };
  const grants = stored('grants', 'grants');
  await multiply(grants, count, await storedOne(grants, { _id: grant.id }), (index) => {
    const { workspace, user, secret } = vary(index);
    return {
      _id: newId('operationGrant'),
      workspace_id: workspace,
      user_id: user,
      secret_hash: hashGrantSecret(secret),
      secret_hint: secret.slice(-4),
    };
  });
}

function memberName(index: number): string {
  return `growth-member-${index}`;
}
