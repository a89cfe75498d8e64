import { isDeepStrictEqual } from 'node:util';
import { numberedCommit } from '@action-platform/change-events';
import type { Originated, Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { newId } from '@action-platform/contracts/ids';
import type { Limits } from '@action-platform/contracts/limits';
import type { CustomOperation } from '@action-platform/contracts/operations';
import type { CustomOperationChange } from '@action-platform/contracts/resources';
import { batchedLookup, slotWithin, unlessTaken, within } from '@action-platform/mongo';
import type { Collection, Document, Filter } from 'mongodb';
import type { MemberKey } from '../members/stored-member.ts';
import type { Place } from './place.ts';
import {
  activeFields,
  describeCustomOperation,
  type ListedOperation,
  type StoredCustomOperation,
} from './stored-custom-operation.ts';

export type CustomOperationLimits = Pick<Limits, 'WORKSPACE_CUSTOM_OPERATIONS_MAX'>;

/** The id of a custom operation, in its Workspace. */
interface OperationKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** The fields that decide about a call of a custom operation. */
type FoundOperation = Pick<
  ListedOperation,
  'id' | 'status' | 'revision' | 'updatedAt' | 'effect' | 'availability' | 'destructive'
>;

/** The operations that a discovery reads. */
type ActiveOperation = Pick<ListedOperation, 'id' | 'revision' | 'availability'>;

const ofActive = { _id: 0, ...activeFields } as const;
const ofCalls = {
  ...ofActive,
  workspace_id: 1,
  'listed.status': 1,
  'listed.updatedAt': 1,
  'listed.effect': 1,
  'listed.destructive': 1,
};

/** The fields that never change, so that no grant widens. */
const FIXED = ['effect', 'availability', 'destructive'] as const;

/** The custom operations of all Workspaces. Nothing of them is cached: a change that was acknowledged holds for the next call. */
export class CustomOperations {
  readonly #operations: Collection<StoredCustomOperation>;
  readonly #limits: CustomOperationLimits;
  readonly #find: (key: OperationKey, timed: Timed) => Promise<StoredCustomOperation | undefined>;

  constructor(operations: Collection<StoredCustomOperation>, limits: CustomOperationLimits) {
    this.#operations = operations;
    this.#limits = limits;
    const text = ({ workspaceId, id }: OperationKey) => JSON.stringify([workspaceId, id]);
    const found = ({ workspace_id: workspaceId, listed: { id } }: StoredCustomOperation) =>
      text({ workspaceId, id });
    this.#find = batchedLookup('grants.custom_operations', { asked: text, found }, (keys, timed) => {
      // The query may find the id of one Workspace in another; no caller asked for that operation.
      const workspace_id = { $in: keys.map(({ workspaceId }) => workspaceId) };
      const filter = { workspace_id, 'listed.id': { $in: keys.map(({ id }) => id) } };
      return operations.find(filter, { projection: ofCalls, ...within(timed) }).toArray();
    });
  }

  /** An operation as it decides about a call, also a removed one. */
  async find(key: OperationKey, timed: Timed): Promise<FoundOperation | undefined> {
    return (await this.#find(key, timed))?.listed;
  }

  /** The operations of a Workspace that may be called. */
  async active(workspace_id: string, timed: Timed): Promise<ActiveOperation[]> {
    return await this.#listed({ workspace_id, 'listed.status': 'active' }, ofActive, timed);
  }

  /** The operations of a Workspace by id, removed ones included. */
  async list(workspace_id: string, timed: Timed): Promise<ListedOperation[]> {
    return await this.#listed({ workspace_id }, { listed: 1 }, timed);
  }

  /** An operation, also a removed one. @throws ActionError `custom_operation_not_found` */
  async require(key: OperationKey, timed: Timed): Promise<CustomOperation> {
    return describeCustomOperation(await this.#required(key, timed));
  }

  /**
   * Registers an operation, changes it or brings it back; an equal one changes nothing. Of concurrent changes each applies to the outcome of
   * the one before.
   *
   * @throws ActionError `invalid_request` for another revision than the expected one, for what is fixed, and beyond the limit.
   */
  async put(
    { workspace_id: workspaceId, user_id: userId }: MemberKey,
    { expectedRevision, inputSchema, outputSchema, ...content }: CustomOperationChange & Place,
    call: Originated,
  ): Promise<CustomOperation> {
    const schemas = JSON.stringify({ inputSchema, outputSchema });
    for (;;) {
      const present = await this.#whole({ workspaceId, id: content.id }, call);
      const listed = present?.listed;
      const revision = listed?.revision ?? 0;
      requireRevision(expectedRevision, revision);
      if (listed !== undefined) requireFixed(listed, content);
      const isActive = listed?.status === 'active';
      const { url: _url, target: _target, connectorId: _connectorId, ...kept } = listed ?? {};
      const asked = { ...kept, ...content } as ListedOperation;
      const before = present && describeCustomOperation(present);
      if (isActive && isDeepStrictEqual(before, describeCustomOperation({ listed: asked, schemas })))
        return before!;
      const at = new Date().toISOString();
      const first = { definitionId: newId('customOperation'), createdAt: at, createdBy: userId };
      const changed = { status: 'active', revision: revision + 1, updatedAt: at, updatedBy: userId } as const;
      const next = { listed: { ...first, ...asked, ...changed }, schemas };
      if (await this.#store(workspaceId, present, next, isActive ? 'changed' : 'registered', call))
        return describeCustomOperation(next);
    }
  }

  /** Removes an operation; again changes nothing. @throws ActionError `custom_operation_not_found` */
  async remove(key: OperationKey, call: Originated): Promise<CustomOperation> {
    for (;;) {
      const present = await this.#required(key, call);
      const { listed, schemas } = present;
      if (listed.status === 'removed') return describeCustomOperation(present);
      const updatedBy = call.origin.user_id ?? listed.updatedBy;
      const changed = { status: 'removed', updatedAt: new Date().toISOString(), updatedBy } as const;
      const next = { listed: { ...listed, ...changed }, schemas };
      if (await this.#store(key.workspaceId, present, next, 'removed', call))
        return describeCustomOperation(next);
    }
  }

  /** Stores a new operation, or a change of one as it was read; false when another one was stored in between. */
  async #store(
    workspace_id: string,
    present: StoredCustomOperation | null,
    next: Pick<StoredCustomOperation, 'listed' | 'schemas'>,
    type: StoredCustomOperation['commits'][string]['type'],
    call: Originated,
  ): Promise<boolean> {
    const commit = { type, at: new Date(), ...call.origin };
    if (present !== null) {
      const { _id, change } = present;
      const { $set, $unset } = numberedCommit(change + 1, commit);
      const update = { $set: { ...next, change: change + 1, ...$set }, $unset };
      const filter = { workspace_id, _id, change };
      const { matchedCount } = await this.#operations.updateOne(filter, update, within(call));
      return matchedCount === 1;
    }
    const most = this.#limits.WORKSPACE_CUSTOM_OPERATIONS_MAX;
    const limit = { most, has: `The Workspace has registered ${most} custom operations` };
    const slot = await slotWithin(this.#operations, { workspace_id }, limit, call);
    const _id = next.listed.definitionId;
    const stored = { _id, workspace_id, slot, ...next, change: 1, commits: { 1: commit } };
    return await unlessTaken(this.#operations.insertOne(stored, within(call)));
  }

  #whole({ workspaceId, id }: OperationKey, timed: Timed): Promise<StoredCustomOperation | null> {
    return this.#operations.findOne({ workspace_id: workspaceId, 'listed.id': id }, within(timed));
  }

  async #required(key: OperationKey, timed: Timed): Promise<StoredCustomOperation> {
    const present = await this.#whole(key, timed);
    if (present === null) throw new ActionError('custom_operation_not_found');
    return present;
  }

  async #listed(filter: Filter<StoredCustomOperation>, projection: Document, timed: Timed) {
    const options = { projection, sort: { 'listed.id': 1 }, ...within(timed) } as const;
    const found = await this.#operations.find(filter, options).toArray();
    return found.map(({ listed }) => listed);
  }
}

function requireRevision(expected: number | undefined, present: number): void {
  if (expected === undefined || expected === present) return;
  const found = present === 0 ? 'the id is new' : `the present one is ${present}`;
  const message = `expectedRevision: ${found}; read the custom operation again, and change that.`;
  throw invalidRequest(message);
}

function requireFixed(present: ListedOperation, asked: Pick<ListedOperation, (typeof FIXED)[number]>): void {
  for (const field of FIXED) {
    if (present[field] === asked[field]) continue;
    const message = `${field}: is ${JSON.stringify(present[field])} for good, so that no grant widens; register another id.`;
    throw invalidRequest(message);
  }
}
