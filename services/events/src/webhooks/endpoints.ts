import { ActionError, type Timed } from '@action-platform/contracts';
import { isDuplicateKey, within } from '@action-platform/mongo';
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { Position, StoredEndpoint } from './stored-endpoint.ts';

/** The fields of an endpoint that Owners change. */
export type EndpointChange = Partial<
  Omit<StoredEndpoint, '_id' | 'workspace_id' | 'owner' | 'revision' | 'disabled_reason'>
> & { readonly disabled_reason?: StoredEndpoint['disabled_reason'] | null };

/** The stored endpoints of all Workspaces. */
export class Endpoints {
  readonly #endpoints: Collection<StoredEndpoint>;

  constructor(endpoints: Collection<StoredEndpoint>) {
    this.#endpoints = endpoints;
  }

  /** The endpoints of a Workspace, newest first. */
  async list(workspaceId: string, timed: Timed): Promise<StoredEndpoint[]> {
    const found = this.#endpoints.find({ workspace_id: workspaceId }, within(timed));
    return await found.sort({ _id: -1 }).toArray();
  }

  /** An endpoint of a Workspace. @throws ActionError `webhook_endpoint_not_found`. */
  async require(workspaceId: string, id: string, timed: Timed): Promise<StoredEndpoint> {
    const endpoint = await this.#endpoints.findOne({ workspace_id: workspaceId, _id: id }, within(timed));
    if (endpoint === null) throw new ActionError('webhook_endpoint_not_found');
    return endpoint;
  }

  /** The endpoint that a create with this key made. */
  async findByKey(
    workspaceId: string,
    idempotencyKey: string,
    timed: Timed,
  ): Promise<StoredEndpoint | undefined> {
    const filter = { workspace_id: workspaceId, idempotency_key: idempotencyKey };
    return (await this.#endpoints.findOne(filter, within(timed))) ?? undefined;
  }

  /** How many endpoints a Workspace has, counted up to a limit. */
  async count(workspaceId: string, limit: number, timed: Timed): Promise<number> {
    return await this.#endpoints.countDocuments({ workspace_id: workspaceId }, { limit, ...within(timed) });
  }

  /** Inserts an endpoint; false when its idempotency key has already made one. */
  async insert(endpoint: StoredEndpoint, timed: Timed): Promise<boolean> {
    try {
      await this.#endpoints.insertOne(endpoint, within(timed));
      return true;
    } catch (error) {
      if (endpoint.idempotency_key !== undefined && isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /**
   * Changes an endpoint as it was read, and returns the changed one; undefined when it was changed or deleted since, so that the
   * caller reads it again. Its worker starts anew.
   */
  async change(
    { _id, workspace_id, revision }: StoredEndpoint,
    { disabled_reason, ...change }: EndpointChange,
    timed: Timed,
    condition: Filter<StoredEndpoint> = {},
  ): Promise<StoredEndpoint | undefined> {
    const reason = disabled_reason == null ? {} : { disabled_reason };
    const update: UpdateFilter<StoredEndpoint> = {
      $set: { ...change, ...reason },
      $inc: { revision: 1 },
      ...(disabled_reason === null && { $unset: { disabled_reason: '' } }),
    };
    const options = { returnDocument: 'after', ...within(timed) } as const;
    const filter = { ...condition, workspace_id, _id, revision };
    return (await this.#endpoints.findOneAndUpdate(filter, update, options)) ?? undefined;
  }

  /** Deletes an endpoint. */
  async delete({ _id, workspace_id }: StoredEndpoint, timed: Timed): Promise<void> {
    await this.#endpoints.deleteOne({ workspace_id, _id }, within(timed));
  }

  /**
   * Records how far the owner of an endpoint has come, and whether it fails; false when the endpoint was moved, disabled or deleted
   * since, or another replica is its owner.
   */
  async advance(
    { _id, workspace_id, owner }: StoredEndpoint,
    position: Position,
    to: { readonly position: Position; readonly failing_since: Date | null },
    timed: Timed,
  ): Promise<boolean> {
    const filter = { workspace_id, _id, status: 'enabled', owner, position } as const;
    const { matchedCount } = await this.#endpoints.updateOne(filter, { $set: to }, within(timed));
    return matchedCount === 1;
  }

  /** Whether no Owner has changed or deleted an endpoint since it was read. */
  async isCurrent({ _id, workspace_id, revision }: StoredEndpoint, timed: Timed): Promise<boolean> {
    const options = { projection: { _id: 1 }, ...within(timed) };
    return (await this.#endpoints.findOne({ workspace_id, _id, revision }, options)) !== null;
  }

  /** Records that a delivery succeeded with the secrets of an endpoint as it was read. */
  async markSecretUsed({ _id, workspace_id, revision }: StoredEndpoint, timed: Timed): Promise<void> {
    const filter = { workspace_id, _id, revision };
    await this.#endpoints.updateOne(filter, { $set: { is_secret_used: true } }, within(timed));
  }
}
