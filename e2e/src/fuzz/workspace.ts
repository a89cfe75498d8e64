import { randomUUID } from 'node:crypto';
import { operations } from '@action-platform/contracts';
import { type CreatedGrant, createGrant } from '../http.ts';
import type { SharedStack } from '../shared-stack.ts';
import { execute } from '../stack-process.ts';

/** A payload with a history that takes a long answer. */
const LONG = 'x'.repeat(200_000);

/** A Workspace with objects of every kind. Names of people are user ids. */
export interface FuzzedWorkspace {
  /** A text in inputs, which no log line may contain. The `~` cannot occur in a request id, which processes log. */
  readonly mark: string;
  readonly id: string;
  readonly owner: { readonly user_id: string; readonly token: string };
  readonly member: { readonly user_id: string; readonly token: string };
  /** A Member whom calls of operators may remove. */
  readonly passerBy: string;
  readonly collection: string;
  readonly record: string;
  readonly sender: string;
  readonly operationGrant: CreatedGrant;
  readonly routineGrant: CreatedGrant;
}

/** Makes a Workspace in a running platform. */
export async function makeWorkspace(stack: SharedStack): Promise<FuzzedWorkspace> {
  const { base_url, workspace_id: id, owner, member } = await stack.workspace();
  const passerBy = 'paul';
  await stack.operator.member(id, passerBy, 'member');
  const make = async (operation: string, input: object) => {
    const { status, body } = await execute(base_url, owner.token, operation, input);
    if (status !== 200) throw new Error(`${operation} answers ${status}: ${JSON.stringify(body)}`);
    return body.result as unknown as Record<string, { id: string } & { sender_id: string }[]>;
  };
  const made = await make('record_store.create_collection', { name: 'fuzzed', member_writes_enabled: true });
  const collection = made.collection!.id;
  const pushed = await make('record_store.push_record', { collection_id: collection, payload: { LONG } });
  const record = pushed.record!.id;
  for (const a of [1, 2, 3])
    await make('record_store.patch_record', { collection_id: collection, record_id: record, patch: { a } });
  const { senders } = await make('mail.list_authorized_senders', {});
  const sender = senders![0]!.sender_id;
  const grant = (request: object) => createGrant(base_url, owner.token, { name: 'fuzzed', ...request });
  const operationGrant = await grant({ operationScope: 'record_store.push_record' });
  const routineGrant = await grant({
    operations: [...operations.keys()],
    data: { collectionIds: [collection], senderIds: [sender], fileScopes: ['company'] },
    outputDefinition: 'fuzzed',
    maximumCadence: { invocations: 1_000_000, periodSeconds: 1 },
  });
  const mark = `mark~${randomUUID()}`;
  return { mark, id, owner, member, passerBy, collection, record, sender, operationGrant, routineGrant };
}

/** A JSON value whose fields that name an object, of any depth, name one of the Workspace. */
export function withReferences(value: unknown, workspace: FuzzedWorkspace): unknown {
  const { id, passerBy, collection, record, sender } = workspace;
  const references: Readonly<Record<string, string>> = {
    collection_id: collection,
    record_id: record,
    sender_id: sender,
    workspace: id,
    workspaceId: id,
    user: passerBy,
    userId: passerBy,
    users: passerBy,
  };
  return JSON.parse(JSON.stringify(value), (name, member: unknown) => {
    const reference = Object.hasOwn(references, name) ? references[name] : undefined;
    if (reference === undefined) return member;
    return Array.isArray(member) ? [reference] : reference;
  });
}
