import type { Collection, Db } from 'mongodb';
import type { Invocation } from '../cadence/invocation.ts';
import type { StoredGrant } from '../grants/stored-grant.ts';
import type { Member } from '../members/member.ts';

/** A Workspace. It is never deleted. */
interface Workspace {
  /** `ws_…` */
  readonly _id: string;
  readonly name: string;
  readonly created_at: Date;
}

/** The collections of the grants database. */
export interface Collections {
  readonly workspaces: Collection<Workspace>;
  readonly members: Collection<Member>;
  readonly grants: Collection<StoredGrant>;
  readonly invocations: Collection<Invocation>;
}

/** The collections, with an index for every query there is. */
export async function openCollections(db: Db): Promise<Collections> {
  const grants = db.collection<StoredGrant>('grants');
  await grants.createIndexes([
    { name: 'secret', key: { secret_hash: 1 }, unique: true },
    { name: 'workspace', key: { workspace_id: 1, kind: 1, _id: -1 } },
    { name: 'member', key: { workspace_id: 1, user_id: 1, kind: 1, _id: -1 } },
  ]);
  const invocations = db.collection<Invocation>('invocations');
  await invocations.createIndexes([
    { name: 'chain', key: { grant_id: 1, seq: 1 }, unique: true },
    { name: 'counted', key: { grant_id: 1, invocation_id: 1, at: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ]);
  return { workspaces: db.collection('workspaces'), members: db.collection('members'), grants, invocations };
}
