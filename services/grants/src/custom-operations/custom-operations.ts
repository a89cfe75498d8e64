import { isDeepStrictEqual } from 'node:util';
import { batchedLookup } from '@action-platform/batching';
import {
  ActionError,
  type CustomOperationChange,
  type Limits,
  limitReached,
  newId,
  type Originated,
  type Timed,
} from '@action-platform/contracts';
import { isDuplicateKey, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { MemberKey } from '../members/stored-member.ts';
import {
  type FoundOperation,
  type ListedOperation,
  type StoredCustomOperation,
  schemasIn,
} from './stored-custom-operation.ts';

/** How many changes a document has: enough for the tail that reads it a moment later. */
const COMMITS_KEPT = 16;

export type CustomOperationLimits = Pick<Limits, 'WORKSPACE_CUSTOM_OPERATIONS_MAX'>;

/** The id of a custom operation, in its Workspace. */
interface OperationKey {
  readonly workspaceId: string;
  readonly id: string;
}

/** A custom operation that may be called, as a discovery sees it. */
export interface ActiveOperation {
  readonly id: string;
  readonly revision: number;
  readonly availability: FoundOperation['availability'];
}

/** Those of a Workspace. */
interface ActiveOperations {
  readonly _id: string;
  readonly operations: readonly ActiveOperation[];
}

const textOf = ({ workspaceId, id }: OperationKey) => JSON.stringify([workspaceId, id]);
const keyOf = ({ workspaceId, id }: OperationKey) => ({ workspace_id: workspaceId, operation_id: id });

const ofCalls = {
  _id: 0,
  workspace_id: 1,
  operation_id: 1,
  status: 1,
  revision: 1,
  effect: 1,
  availability: 1,
  is_destructive: 1,
} as const satisfies { readonly [Field in keyof FoundOperation | '_id']: 0 | 1 };

/** The custom operations of all Workspaces. Nothing of them is cached: a change that was acknowledged holds for the next call. */
export class CustomOperations {
  readonly #operations: Collection<StoredCustomOperation>;
  readonly #limits: CustomOperationLimits;

  /** An operation as it decides about a call, also a removed one. */
  readonly find: (key: OperationKey, timed: Timed) => Promise<FoundOperation | undefined>;
  readonly #activeIn: (workspaceId: string, timed: Timed) => Promise<ActiveOperations | undefined>;

  constructor(operations: Collection<StoredCustomOperation>, limits: CustomOperationLimits) {
    this.#operations = operations;
    this.#limits = limits;
    this.find = batchedLookup(
      'grants.custom_operations',
      {
        asked: textOf,
        found: ({ workspace_id, operation_id }: FoundOperation) =>
          textOf({ workspaceId: workspace_id, id: operation_id }),
      },
      (keys, timed) => {
        const workspace_id = { $in: [...new Set(keys.map(({ workspaceId }) => workspaceId))] };
        const operation_id = { $in: [...new Set(keys.map(({ id }) => id))] };
        const options = { projection: ofCalls, ...within(timed) };
        // It may find some of one Workspace by the id of another's: nobody asked for those.
        return operations.find<FoundOperation>({ workspace_id, operation_id }, options).toArray();
      },
    );
    this.#activeIn = batchedLookup(
      'grants.active_custom_operations',
      { asked: (workspaceId: string) => workspaceId, found: ({ _id }: ActiveOperations) => _id },
      (workspaceIds, timed) =>
        operations
          .aggregate<ActiveOperations>(
            [
              { $match: { workspace_id: { $in: workspaceIds }, status: 'active' } },
              { $group: { _id: '$workspace_id', operations: { $push: active } } },
            ],
            within(timed),
          )
          .toArray(),
    );
  }

  /** The operations of a Workspace that may be called. */
  async active(workspaceId: string, timed: Timed): Promise<readonly ActiveOperation[]> {
    return (await this.#activeIn(workspaceId, timed))?.operations ?? [];
  }

  /** The operations of a Workspace by id, removed ones included. */
  async list(workspaceId: string, timed: Timed): Promise<ListedOperation[]> {
    const options = { projection: { schemas: 0 }, sort: { operation_id: 1 }, ...within(timed) } as const;
    return await this.#operations.find<ListedOperation>({ workspace_id: workspaceId }, options).toArray();
  }

  /** An operation, also a removed one. @throws ActionError `custom_operation_not_found` */
  async require(key: OperationKey, timed: Timed): Promise<StoredCustomOperation> {
    const found = await this.#whole(key, timed);
    if (found === null) throw new ActionError('custom_operation_not_found');
    return found;
  }

  /**
   * Registers an operation, changes it or brings it back; an equal one changes nothing. Of concurrent changes each applies to the outcome of the
   * one before.
   *
   * @throws ActionError `invalid_request` for another revision than the expected one, for what is fixed, and beyond the limit.
   */
  async put(
    { workspace_id, user_id }: MemberKey,
    { expectedRevision, ...change }: CustomOperationChange,
    call: Originated,
  ): Promise<StoredCustomOperation> {
    const { id, effect, availability, destructive, inputSchema, outputSchema, ...content } = change;
    const fixed = { effect, availability, is_destructive: destructive };
    const schemas = JSON.stringify({ inputSchema, outputSchema });
    for (;;) {
      const present = await this.#whole({ workspaceId: workspace_id, id }, call);
      requireRevision(expectedRevision, present?.revision ?? 0);
      if (present === null) {
        const first = { workspace_id, operation_id: id, ...fixed, content, schemas };
        const registered = await this.#register(first, user_id, call);
        if (registered !== undefined) return registered;
        continue;
      }
      requireFixed(present, fixed);
      const isActive = present.status === 'active';
      if (isActive && isDeepStrictEqual(said(present), said({ content, schemas }))) return present;
      const next = { content, schemas, status: 'active', revision: present.revision + 1 } as const;
      const type = isActive ? 'changed' : 'registered';
      const changed = await this.#change(present, next, type, call);
      if (changed !== undefined) return changed;
    }
  }

  /** Removes an operation; again changes nothing. @throws ActionError `custom_operation_not_found` */
  async remove(key: OperationKey, call: Originated): Promise<StoredCustomOperation> {
    for (;;) {
      const present = await this.require(key, call);
      if (present.status === 'removed') return present;
      const removed = await this.#change(present, { status: 'removed' }, 'removed', call);
      if (removed !== undefined) return removed;
    }
  }

  /** Inserts an operation in a free slot of its Workspace; undefined when another one has the slot or the id. */
  async #register(
    first: Pick<
      StoredCustomOperation,
      'workspace_id' | 'operation_id' | 'effect' | 'availability' | 'is_destructive' | 'content' | 'schemas'
    >,
    userId: string,
    call: Originated,
  ): Promise<StoredCustomOperation | undefined> {
    const { workspace_id } = first;
    const most = this.#limits.WORKSPACE_CUSTOM_OPERATIONS_MAX;
    const options = { projection: { _id: 0, slot: 1 }, ...within(call) } as const;
    const there = await this.#operations.find({ workspace_id }, options).toArray();
    const taken = new Set(there.map(({ slot }) => slot));
    const free = Array.from({ length: most }, (_, slot) => slot).filter((slot) => !taken.has(slot));
    // At random, so that few of many concurrent ones take the same.
    const slot = free[Math.floor(Math.random() * free.length)];
    if (slot === undefined) throw limitReached(`The Workspace has registered ${most} custom operations`);
    const at = new Date();
    const registered: StoredCustomOperation = {
      _id: newId('customOperation'),
      ...first,
      slot,
      status: 'active',
      revision: 1,
      created_at: at,
      created_by: userId,
      updated_at: at,
      updated_by: userId,
      change: 1,
      commits: { 1: { type: 'registered', at, ...call.origin } },
    };
    try {
      await this.#operations.insertOne(registered, within(call));
      return registered;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** Changes an operation as it was read; undefined when it was changed since. */
  async #change(
    { _id, workspace_id, change, updated_by }: StoredCustomOperation,
    set: Partial<Pick<StoredCustomOperation, 'content' | 'schemas' | 'status' | 'revision'>>,
    type: StoredCustomOperation['commits'][string]['type'],
    call: Originated,
  ): Promise<StoredCustomOperation | undefined> {
    const next = change + 1;
    const at = new Date();
    const update = {
      $set: {
        ...set,
        updated_at: at,
        updated_by: call.origin.user_id ?? updated_by,
        change: next,
        [`commits.${next}`]: { type, at, ...call.origin },
      },
      $unset: { [`commits.${next - COMMITS_KEPT}`]: '' as const },
    };
    const options = { returnDocument: 'after', ...within(call) } as const;
    return (
      (await this.#operations.findOneAndUpdate({ workspace_id, _id, change }, update, options)) ?? undefined
    );
  }

  async #whole(key: OperationKey, timed: Timed): Promise<StoredCustomOperation | null> {
    return await this.#operations.findOne(keyOf(key), within(timed));
  }
}

const active = { id: '$operation_id', revision: '$revision', availability: '$availability' };

/** What a definition says, by value: the order of names does not count. */
function said({ content, schemas }: Pick<StoredCustomOperation, 'content' | 'schemas'>): object {
  return { ...content, ...schemasIn({ schemas }) };
}

function requireRevision(expected: number | undefined, present: number): void {
  if (expected === undefined || expected === present) return;
  const found = present === 0 ? 'the id is new' : `the present one is ${present}`;
  throw new ActionError('invalid_request', {
    message: `expectedRevision: ${found}; read the custom operation again, and change that.`,
  });
}

type Fixed = Pick<StoredCustomOperation, 'effect' | 'availability' | 'is_destructive'>;

const fixedFields = {
  effect: 'effect',
  availability: 'availability',
  is_destructive: 'destructive',
} as const;

function requireFixed(present: Fixed, asked: Fixed): void {
  for (const field of Object.keys(fixedFields) as (keyof Fixed)[]) {
    if (present[field] === asked[field]) continue;
    const message = `${fixedFields[field]}: is ${JSON.stringify(present[field])} for good, so that no grant widens; register another id.`;
    throw new ActionError('invalid_request', { message });
  }
}
