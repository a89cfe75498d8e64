import { randomUUID } from 'node:crypto';
import type { SharedStack } from '../shared-stack.ts';
import { COLLEAGUE, OWNER, Workspace } from '../workspace.ts';

/** A payload with a history that takes a long answer. */
const LONG = 'x'.repeat(200_000);

/** A Workspace to fuzz. */
export interface Fuzzed {
  readonly workspace: Workspace;
  /** A text in inputs, which no log line may contain. The `~` cannot occur in a request id, which processes log. */
  readonly mark: string;
  /** More values of path parameters. */
  readonly segments: readonly string[];
}

/** Makes a Workspace to fuzz in a running platform. */
export async function makeFuzzed(stack: SharedStack): Promise<Fuzzed> {
  const workspace = await Workspace.create(stack, 'fuzzed');
  const { collection: collection_id, record: record_id } = workspace.ids;
  const long = { collection_id, record_id, payload: { LONG } };
  await workspace.execute(OWNER, 'record_store.replace_record', long);
  return { workspace, mark: `mark~${randomUUID()}`, segments: [] };
}

/** A JSON value whose fields that name an object, of any depth, name one of the Workspace. */
export function withReferences(value: unknown, { workspace: { id, ids } }: Fuzzed): unknown {
  const references: Readonly<Record<string, string>> = {
    ...{ collection_id: ids.collection, record_id: ids.record, sender_id: ids.sender },
    ...{ workspace: id, workspaceId: id },
    // Calls of operators may remove this Member.
    ...{ user: COLLEAGUE, userId: COLLEAGUE, users: COLLEAGUE },
  };
  return JSON.parse(JSON.stringify(value), (name, member: unknown) => {
    const reference = Object.hasOwn(references, name) ? references[name] : undefined;
    if (reference === undefined) return member;
    return Array.isArray(member) ? [reference] : reference;
  });
}
