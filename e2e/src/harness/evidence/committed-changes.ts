import type { ServiceName } from '@action-platform/contracts';
import { MongoClient } from 'mongodb';
import type { Change } from '../history.ts';
import type { Platform } from '../workload/world.ts';

/** The parts of stored documents that tell of changes. */
interface Stored {
  readonly _id: string & { readonly user_id: string; readonly workspace_id?: string };
  readonly workspace_id?: string;
  readonly record_id?: string;
  readonly state?: string;
  readonly commit?: StoredCommit;
  readonly revision_commit?: StoredCommit;
  readonly origin?: { readonly request_id: string };
  readonly revocation?: { readonly request_id: string };
  readonly decision?: { readonly verdict: string; readonly origin: { readonly request_id: string } };
  readonly settled?: Readonly<Record<string, { readonly request_id: string }>>;
  readonly commits?: Readonly<
    Record<string, { readonly type: string; readonly request_id: string; readonly connection_id?: string }>
  >;
}

interface StoredCommit {
  readonly type: string;
  readonly sequence: number;
  readonly request_id: string;
}

/** The fields of `Stored`. */
const projection = {
  ...{ workspace_id: 1, record_id: 1, state: 1, commit: 1, revision_commit: 1 },
  ...{ origin: 1, revocation: 1, decision: 1, settled: 1, commits: 1 },
};

async function storedIn(platform: Platform, service: ServiceName, collection: string): Promise<Stored[]> {
  const client = await new MongoClient(platform.databaseUrl(service)).connect();
  try {
    return (await client.db(service).collection(collection).find({}, { projection }).toArray()) as never[];
  } finally {
    await client.close();
  }
}

/** Every change of a Workspace, as the documents of the services tell of it. */
export async function committedChanges(platform: Platform, workspace: string): Promise<Change[]> {
  const read = async (service: ServiceName, collection: string) =>
    (await storedIn(platform, service, collection)).filter(
      ({ _id, workspace_id = _id.workspace_id }) => workspace_id === workspace,
    );
  const changes: Change[] = [];
  const add = (type: string, subject: string, requestId: string | undefined) =>
    changes.push({ type, subject, requestId });

  const records = await read('record-store', 'records');
  const revisions = await read('record-store', 'revisions');
  const known = new Map<string, StoredCommit>();
  for (const { _id, record_id = _id, commit, revision_commit } of [...revisions, ...records])
    for (const one of [commit, revision_commit]) if (one) known.set(`${record_id} ${one.sequence}`, one);
  for (const { _id: subject, state, commit } of records) {
    if (state === 'void') continue;
    for (let sequence = 1; sequence <= commit!.sequence; sequence++) {
      const { type, request_id } = known.get(`${subject} ${sequence}`) ?? {};
      changes.push({ subject, sequence, type: type && `record.${type}`, requestId: request_id });
    }
  }
  for (const { _id, origin } of await read('record-store', 'collections'))
    add('collection.created', _id, origin?.request_id);
  for (const { _id, origin } of await read('procedures', 'procedures'))
    add('procedure.drafted', _id, origin?.request_id);
  for (const { _id, origin, revocation } of await read('grants', 'grants')) {
    add('grant.created', _id, origin?.request_id);
    if (revocation) add('grant.revoked', _id, revocation.request_id);
  }
  for (const { _id, origin, decision } of await read('grants', 'approvals')) {
    add('approval.requested', _id, origin?.request_id);
    if (decision) add(`approval.${decision.verdict}`, _id, decision.origin.request_id);
  }
  for (const { _id, commits = {} } of await storedIn(platform, 'grants', 'approval_rules'))
    if (_id === workspace)
      for (const { request_id } of Object.values(commits)) add('approval_rules.changed', _id, request_id);
  for (const { _id, commits = {} } of await read('grants', 'members'))
    for (const { type, connection_id, request_id } of Object.values(commits))
      add(type, connection_id ?? _id.user_id, request_id);
  for (const { _id, settled = {} } of await read('mail', 'attempts'))
    for (const [outcome, { request_id }] of Object.entries(settled)) add(`mail.${outcome}`, _id, request_id);
  return changes;
}
