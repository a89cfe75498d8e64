import type { Bus } from '@action-platform/bus';
import type { DataKind } from '@action-platform/contracts/authority';
import { findCollections, type NamedData, namedIn } from '@action-platform/contracts/calls';
import { ActionError } from '@action-platform/contracts/errors';
import { isCollectionName, withCollectionIds } from '@action-platform/contracts/operations';
import { ExactJson, mergePatchAsync } from '@action-platform/json';
import { type AskingContext, callOnward } from './call-onward.ts';
import type { OperationContext } from './context.ts';
import type { GrantedData } from './granted-data.ts';
import type { IncomingCall } from './incoming-call.ts';

/** Finds the Collections of a Workspace among ids and names. */
export type FindCollections = (
  workspaceId: string,
  ids: readonly string[],
  context: AskingContext,
) => Promise<readonly NamedData[]>;

/** Finds the senders among ids that have a name, as far as the Member of a call may use them. */
export type FindSenders = (
  ids: readonly string[],
  context: OperationContext,
) => Promise<readonly NamedData[]>;

/** The look-ups of a process about the data of grants. */
export interface DataLookUps {
  readonly grants: GrantedData;
  readonly collections: FindCollections;
  /** Only mail has operations on senders. */
  readonly senders?: FindSenders | undefined;
}

/** Finds Collections by a call of the record store, for all other services. */
export function askingRecordStore(bus: Bus): FindCollections {
  return async (workspaceId, ids, context) =>
    namedIn(await callOnward(bus, findCollections, { workspaceId, ids: [...ids] }, context));
}

/**
 * Collections with ids in the place of names, for a call that takes both. A name that the Workspace does not have stays.
 *
 * @throws ActionError as `callOnward` does.
 */
export async function collectionIdsOf(
  bus: Bus,
  workspaceId: string,
  collections: readonly string[],
  context: AskingContext,
): Promise<string[]> {
  const names = collections.filter(isCollectionName);
  if (names.length === 0) return [...collections];
  const idOf = idsByName(await askingRecordStore(bus)(workspaceId, names, context));
  return collections.map((named) => idOf.get(named) ?? named);
}

/** An input and the body that it was read from. */
interface ReadCall<Input> {
  readonly input: Input;
  readonly body: Uint8Array;
}

/**
 * A call with ids in the place of the names of Collections: from here on the same call as by id. A routine grant finds the Collections that
 * it lists alone, so that a name outside of them is as unknown as one that does not exist.
 *
 * @param names of Collections in the input.
 */
export async function identified<Input extends object>(
  { input, body }: ReadCall<Input>,
  names: readonly string[],
  incoming: IncomingCall,
  { collections, grants }: DataLookUps,
): Promise<ReadCall<Input>> {
  const { workspaceId, routine } = incoming.principal;
  const grantedIds = routine && ((await grants.of(routine.id, incoming)).collectionIds ?? []);
  const found = await collections(workspaceId, names, incoming);
  const idOf = idsByName(
    grantedIds === undefined ? found : found.filter(({ id }) => grantedIds.includes(id)),
  );
  const ids = withCollectionIds(input, idOf);
  const identified = { ...input, ...ids };
  // Only an approval reads the body again.
  if (!incoming.isSubjectToApproval) return { input: identified, body };
  const sent = new ExactJson(Buffer.from(body).toString().trim());
  const { text } = await mergePatchAsync(sent, new ExactJson(JSON.stringify(ids)), incoming);
  return { input: identified, body: Buffer.from(text) };
}

/** The names of data for a refusal, as far as the service that has them answers. */
export async function namesOf(
  kind: DataKind,
  ids: readonly string[],
  { collections, senders }: DataLookUps,
  context: OperationContext,
): Promise<readonly NamedData[]> {
  try {
    if (kind === 'collectionIds') return await collections(context.principal.workspaceId, ids, context);
    return kind === 'senderIds' && senders !== undefined ? await senders(ids, context) : [];
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return [];
  }
}

function idsByName(found: readonly NamedData[]): ReadonlyMap<string, string> {
  return new Map(found.map(({ id, name }) => [name, id]));
}
