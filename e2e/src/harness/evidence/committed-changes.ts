import type { ServiceName } from '@action-platform/contracts/services';
import type { Document } from 'mongodb';
import { withMongo } from '../../with-mongo.ts';
import type { Change } from '../history.ts';
import type { Platform } from '../workload/fixture.ts';

async function storedIn(platform: Platform, service: ServiceName, collection: string): Promise<Document[]> {
  return await withMongo(platform.databaseUrl(service), (client) =>
    client.db(service).collection<Document>(collection).find().toArray(),
  );
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
  const known = new Map<string, { type: string; request_id: string }>();
  for (const { _id, record_id = _id, commit, revision_commit } of [...revisions, ...records])
    for (const one of [commit, revision_commit]) if (one) known.set(`${record_id} ${one.sequence}`, one);
  for (const { _id: subject, state, commit } of records) {
    if (state === 'void') continue;
    for (let sequence = 1; sequence <= commit.sequence; sequence++) {
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
      for (const { request_id } of Object.values<Document>(commits))
        add('approval_rules.changed', _id, request_id);
  for (const { _id, commits = {} } of await read('grants', 'members'))
    for (const { type, connection_id, request_id } of Object.values<Document>(commits))
      add(type, connection_id ?? _id.user_id, request_id);
  for (const { _id, settled = {} } of await read('mail', 'attempts'))
    for (const [outcome, { request_id }] of Object.entries<Document>(settled))
      add(`mail.${outcome}`, _id, request_id);
  return changes;
}
