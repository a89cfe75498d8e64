import { ActionError, type Origin, type Timed } from '@action-platform/contracts';
import { isDuplicateKey, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Collection, Document, Filter, UpdateFilter } from 'mongodb';
import { type EndpointCommit, isThere, type StoredEndpoint } from './stored-endpoint.ts';

/** The fields of an endpoint that a change sets. */
export type EndpointChange = Partial<
  Pick<
    StoredEndpoint,
    | 'url'
    | 'types'
    | 'collection_ids'
    | 'description'
    | 'status'
    | 'secrets'
    | 'is_secret_used'
    | 'failing_since'
  >
> & { readonly disabled_reason?: StoredEndpoint['disabled_reason'] | null };

/** How many changes a document tells of: enough for the tail that reads it a moment later. */
const COMMITS_KEPT = 16;
/** How many test events of an endpoint are kept. */
const TESTS_KEPT = 10;
/** How long the rest of a deleted endpoint is kept, so that its last event is published whatever is away, in milliseconds. */
const REST_KEPT_MS = 30 * 86_400_000;
/** An endpoint that fails, recovers and fails again within this time is one event, in milliseconds. */
const FAILING_TOLD_EVERY_MS = 600_000;

type Named = Pick<StoredEndpoint, '_id' | 'workspace_id'>;

/** The stored endpoints of all Workspaces. */
export class Endpoints {
  readonly #endpoints: Collection<StoredEndpoint>;
  readonly #onChange: () => Promise<void>;

  /** @param onChange called after each change by an Owner, before it is acknowledged. */
  constructor(endpoints: Collection<StoredEndpoint>, onChange: () => Promise<void>) {
    this.#endpoints = endpoints;
    this.#onChange = onChange;
  }

  /** The endpoints of a Workspace, newest first. */
  async list(workspaceId: string, timed: Timed): Promise<StoredEndpoint[]> {
    const found = this.#endpoints.find({ workspace_id: workspaceId, ...isThere }, within(timed));
    return await found.sort({ _id: -1 }).toArray();
  }

  /** Every enabled endpoint, as far as the fan-out needs it. */
  async enabled(timed: Timed): Promise<StoredEndpoint[]> {
    const projection = { workspace_id: 1, types: 1, collection_ids: 1, behind: 1 };
    return await this.#endpoints.find({ status: 'enabled' }, { projection, ...within(timed) }).toArray();
  }

  /** Endpoints as they are now, by their ids; those that are deleted have no `slot`. */
  async byId(ids: readonly string[], timed: Timed): Promise<Map<string, StoredEndpoint>> {
    const found = await this.#endpoints.find({ _id: { $in: [...ids] } }, within(timed)).toArray();
    return new Map(found.map((endpoint) => [endpoint._id, endpoint]));
  }

  /** An endpoint of a Workspace. @throws ActionError `webhook_endpoint_not_found`. */
  async require(workspaceId: string, id: string, timed: Timed): Promise<StoredEndpoint> {
    const filter = { workspace_id: workspaceId, _id: id, ...isThere };
    const endpoint = await this.#endpoints.findOne(filter, within(timed));
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

  /**
   * Inserts an endpoint in a free slot. Of concurrent inserts each has a slot of its own, by the unique index.
   *
   * @returns `full` when all slots are taken; `repeated` when its idempotency key has already made one.
   */
  async insert(
    endpoint: Omit<StoredEndpoint, 'slot'>,
    slots: number,
    timed: Timed,
  ): Promise<StoredEndpoint | 'full' | 'repeated'> {
    for (;;) {
      const ofWorkspace = { workspace_id: endpoint.workspace_id, ...isThere };
      const there = this.#endpoints.find(ofWorkspace, { projection: { slot: 1 }, ...within(timed) });
      const taken = new Set((await there.toArray()).map(({ slot }) => slot));
      const free = Array.from({ length: slots }, (_, slot) => slot).filter((slot) => !taken.has(slot));
      if (free.length === 0) return 'full';
      const stored = { ...endpoint, slot: free[Math.floor(Math.random() * free.length)]! };
      try {
        await this.#endpoints.insertOne(stored, within(timed));
        await this.#onChange();
        return stored;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const key = endpoint.idempotency_key;
        const earlier = key && (await this.findByKey(endpoint.workspace_id, key, timed));
        if (earlier !== undefined && earlier !== '') return 'repeated';
      }
    }
  }

  /**
   * Changes an endpoint of a Workspace, and returns the changed one. Of concurrent changes each applies to the outcome of the one
   * before.
   *
   * @param changeOf the change to an endpoint as it is; called again when the endpoint changed in the meantime.
   * @throws ActionError `webhook_endpoint_not_found`, and the errors of `changeOf`.
   */
  async change(
    workspaceId: string,
    id: string,
    context: CallContext,
    changeOf: (present: StoredEndpoint) => EndpointChange,
  ): Promise<StoredEndpoint> {
    for (;;) {
      const present = await this.require(workspaceId, id, context);
      const changed = await this.changeFrom(present, changeOf(present), context.origin, context);
      if (changed !== undefined) return changed;
    }
  }

  /** Changes an endpoint as it was read; undefined when it was changed or deleted since. */
  async changeFrom(
    present: StoredEndpoint,
    { disabled_reason, ...change }: EndpointChange,
    origin: Partial<Origin>,
    timed: Timed,
    condition: Filter<StoredEndpoint> = {},
  ): Promise<StoredEndpoint | undefined> {
    const reason = disabled_reason == null ? {} : { disabled_reason };
    const rotated = change.secrets !== undefined && { secret_rotated: true as const };
    const commit = { type: 'webhook_endpoint.changed', at: new Date(), ...rotated, ...origin } as const;
    return await this.#commit(present, commit, timed, {
      set: { ...change, ...reason },
      unset: {
        ...(disabled_reason === null && { disabled_reason: '' }),
        ...(change.status === 'disabled' && { behind: '' }),
      },
      condition,
    });
  }

  /** Deletes an endpoint: its last event is left of it. Returns it as it was; undefined when it was changed or deleted since. */
  async delete(present: StoredEndpoint, context: CallContext): Promise<StoredEndpoint | undefined> {
    const commit = { type: 'webhook_endpoint.deleted', at: new Date(), ...context.origin } as const;
    const rest = {
      status: 'disabled',
      url: '',
      description: null,
      secrets: [],
      expires_at: new Date(Date.now() + REST_KEPT_MS),
    };
    const unset = { slot: '', idempotency_key: '', request_hash: '', behind: '', tests: '' };
    const deleted = await this.#commit(present, commit, context, { set: rest, unset });
    return deleted && present;
  }

  /** Records that a delivery succeeded with the newest secret of an endpoint as it was read. */
  async succeeded({ _id, workspace_id, secrets }: StoredEndpoint, timed: Timed): Promise<void> {
    const filter = { workspace_id, _id, 'secrets.0.created_at': secrets[0]!.created_at };
    await this.#endpoints.updateOne(
      filter,
      { $set: { is_secret_used: true, failing_since: null } },
      within(timed),
    );
  }

  /** Records that an endpoint that did not fail begins to, and tells its Owners unless that was told a moment ago. */
  async beganToFail(present: StoredEndpoint, at: Date, timed: Timed): Promise<void> {
    const told = Object.values(present.commits).findLast(({ type }) => type === 'webhook_endpoint.failing');
    const set = { failing_since: at };
    const condition = { failing_since: null };
    if (told === undefined || at.getTime() - told.at.getTime() > FAILING_TOLD_EVERY_MS) {
      await this.#commit(present, { type: 'webhook_endpoint.failing', at }, timed, { set, condition });
      return;
    }
    const { _id, workspace_id } = present;
    await this.#endpoints.updateOne({ workspace_id, _id, ...condition }, { $set: set }, within(timed));
  }

  /** Has the fan-out read the events of endpoints for each of them alone, from an order on. */
  async fallBehind(behind: ReadonlyMap<Named, string>, timed: Timed): Promise<void> {
    const times = { $add: [{ $ifNull: ['$behind.times', 0] }, 1] };
    const writes = [...behind].map(([{ _id, workspace_id }, from]) => {
      const filter = { workspace_id, _id, status: 'enabled' } as const;
      // `$min` ignores what is missing.
      const update = [{ $set: { behind: { from: { $min: ['$behind.from', from] }, times } } }];
      return { updateOne: { filter, update } };
    });
    if (writes.length > 0) await this.#endpoints.bulkWrite(writes, within(timed));
  }

  /** Has the fan-out add the events of an endpoint again, from an order on. */
  async replay(endpoint: Named, from: string, timed: Timed): Promise<void> {
    await this.fallBehind(new Map([[endpoint, from]]), timed);
    await this.#onChange();
  }

  /** Records how far the events of an endpoint behind are in the queue, or all of them; false when it fell behind again since. */
  async catchUp(
    { _id, workspace_id, behind }: StoredEndpoint,
    from: string | undefined,
    timed: Timed,
  ): Promise<boolean> {
    const update: UpdateFilter<StoredEndpoint> =
      from === undefined ? { $unset: { behind: '' } } : { $set: { 'behind.from': from } };
    const { matchedCount } = await this.#endpoints.updateOne(
      { workspace_id, _id, behind: behind! },
      update,
      within(timed),
    );
    return matchedCount === 1;
  }

  /** Keeps the id of a test event, and returns the one that is no longer kept. */
  async keepTest({ _id, workspace_id }: Named, eventId: string, timed: Timed): Promise<string | undefined> {
    const update = { $push: { tests: { $each: [eventId], $slice: -TESTS_KEPT } } };
    const before = await this.#endpoints.findOneAndUpdate({ workspace_id, _id }, update, {
      returnDocument: 'before',
      ...within(timed),
    });
    return before?.tests?.[TESTS_KEPT - 1] === undefined ? undefined : before.tests[0];
  }

  /** Writes a change with its commit under the next revision. */
  async #commit(
    { _id, workspace_id, revision }: StoredEndpoint,
    commit: EndpointCommit,
    timed: Timed,
    {
      set,
      unset = {},
      condition = {},
    }: { set: Document; unset?: Document; condition?: Filter<StoredEndpoint> },
  ): Promise<StoredEndpoint | undefined> {
    const next = revision + 1;
    const update = {
      $set: { ...set, revision: next, [`commits.${next}`]: commit },
      $unset: { ...unset, [`commits.${next - COMMITS_KEPT}`]: '' },
    } as UpdateFilter<StoredEndpoint>;
    const filter = { ...condition, workspace_id, _id, revision, ...isThere };
    const options = { returnDocument: 'after', ...within(timed) } as const;
    const changed = (await this.#endpoints.findOneAndUpdate(filter, update, options)) ?? undefined;
    if (changed !== undefined) await this.#onChange();
    return changed;
  }
}
