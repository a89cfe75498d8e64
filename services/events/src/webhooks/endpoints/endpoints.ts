import { numberedCommit } from '@action-platform/change-events';
import { inBackground, type Origin, type Timed } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest, limitReached } from '@action-platform/contracts/errors';
import type { ExactLimit } from '@action-platform/contracts/limits';
import { freeSlot, Lease, type LeaseOptions, unlessTaken, within } from '@action-platform/mongo';
import type { CallContext } from '@action-platform/service-host';
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { type EndpointCommit, type EndpointId, notDeleted, type StoredEndpoint } from './stored-endpoint.ts';

/** The fields of an endpoint that a change sets. */
export type EndpointChange = Partial<Omit<StoredEndpoint, '_id' | 'workspace_id' | 'revision' | 'commits'>>;

/** The record of a change. */
interface ChangeRecord {
  readonly type?: EndpointCommit['type'];
  readonly origin?: Partial<Origin>;
  /** Further conditions on the endpoint as it is. */
  readonly condition?: Filter<StoredEndpoint>;
}

/** How long the rest of a deleted endpoint is kept, so that its last event is published whatever is away, in milliseconds. */
const REST_KEPT_MS = 30 * 86_400_000;
/** An endpoint that fails, recovers and fails again within this time is one event, in milliseconds. */
const FAILING_PUBLISHED_EVERY_MS = 600_000;
/** How often the fan-out looks at an endpoint that is behind while too many of its deliveries wait, in milliseconds. */
const LOOK_MS = 5_000;
/** How long it waits at most after looks that failed or ended their processes. */
const LONGEST_LOOK_MS = 3_600_000;

/** The stored endpoints of all Workspaces. */
export class Endpoints {
  readonly #endpoints: Collection<StoredEndpoint>;

  constructor(endpoints: Collection<StoredEndpoint>) {
    this.#endpoints = endpoints;
  }

  /** The endpoints of a Workspace, newest first. */
  async list(workspaceId: string, timed: Timed): Promise<StoredEndpoint[]> {
    const found = this.#endpoints.find({ workspace_id: workspaceId, ...notDeleted }, within(timed));
    return await found.sort({ _id: -1 }).toArray();
  }

  /** The enabled endpoints of Workspaces, as far as the fan-out needs them. */
  async enabled(workspaceIds: readonly string[]): Promise<StoredEndpoint[]> {
    const projection = { workspace_id: 1, form: 1, types: 1, collection_ids: 1, behind: 1 };
    const filter = { workspace_id: { $in: [...workspaceIds] }, status: 'enabled' } as const;
    return await this.#endpoints.find(filter, { projection, ...within(inBackground) }).toArray();
  }

  /** Endpoints as they are now, by their ids; deleted endpoints have no `slot`. */
  async byId(ids: readonly string[], timed: Timed): Promise<StoredEndpoint[]> {
    return await this.#endpoints.find({ _id: { $in: [...ids] } }, within(timed)).toArray();
  }

  /** The Workspaces of endpoints, by their ids. */
  async idsOf(ids: readonly string[], timed: Timed): Promise<EndpointId[]> {
    const projection = { workspace_id: 1 };
    return await this.#endpoints.find({ _id: { $in: [...ids] } }, { projection, ...within(timed) }).toArray();
  }

  /** An endpoint of a Workspace. @throws ActionError `webhook_endpoint_not_found`. */
  async require(workspaceId: string, id: string, timed: Timed): Promise<StoredEndpoint> {
    const filter = { workspace_id: workspaceId, _id: id, ...notDeleted };
    const endpoint = await this.#endpoints.findOne(filter, within(timed));
    if (endpoint === null) throw new ActionError('webhook_endpoint_not_found');
    return endpoint;
  }

  /** An enabled endpoint of a Workspace. @throws ActionError as `require` does, and `invalid_request` for a disabled one. */
  async requireEnabled(workspaceId: string, id: string, timed: Timed): Promise<StoredEndpoint> {
    const endpoint = await this.require(workspaceId, id, timed);
    if (endpoint.status === 'enabled') return endpoint;
    throw invalidRequest('The endpoint is disabled: enable it first.');
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
   * @returns undefined when another one took the slot, or has the same idempotency key.
   * @throws ActionError `invalid_request` when all slots are taken.
   */
  async insert(
    endpoint: Omit<StoredEndpoint, 'slot'>,
    slots: ExactLimit,
    timed: Timed,
  ): Promise<StoredEndpoint | undefined> {
    const ofWorkspace = { workspace_id: endpoint.workspace_id, ...notDeleted };
    const options = { projection: { slot: 1, idempotency_key: 1 }, ...within(timed) };
    const there = await this.#endpoints.find(ofWorkspace, options).toArray();
    const key = endpoint.idempotency_key;
    if (key !== null && there.some(({ idempotency_key }) => idempotency_key === key)) return undefined;
    const slot = freeSlot(there, slots);
    if (slot === undefined)
      throw limitReached(`The Workspace has ${slots} webhook endpoints`, 'Delete one that is not needed.');
    const stored = { ...endpoint, slot };
    return (await unlessTaken(this.#endpoints.insertOne(stored, within(timed)))) ? stored : undefined;
  }

  /**
   * Changes an endpoint of a Workspace. Each of several concurrent changes applies to the outcome of the one before.
   *
   * @param changeOf the change to an endpoint as it is; called again when the endpoint changed in the meantime.
   * @throws ActionError `webhook_endpoint_not_found`, and the errors of `changeOf`.
   */
  async change(
    workspaceId: string,
    id: string,
    context: CallContext,
    changeOf: (present: StoredEndpoint) => EndpointChange,
    type?: EndpointCommit['type'],
  ): Promise<{ readonly before: StoredEndpoint; readonly endpoint: StoredEndpoint }> {
    for (;;) {
      const before = await this.require(workspaceId, id, context);
      const record = { origin: context.origin, ...(type && { type }) };
      const endpoint = await this.changeFrom(before, changeOf(before), record, context);
      if (endpoint !== undefined) return { before, endpoint };
    }
  }

  /** Changes an endpoint as it was read, and makes that an event; undefined when it was changed or deleted since. */
  async changeFrom(
    { _id, workspace_id, revision }: StoredEndpoint,
    change: EndpointChange,
    { type = 'webhook_endpoint.changed', origin, condition }: ChangeRecord,
    timed: Timed,
  ): Promise<StoredEndpoint | undefined> {
    const next = revision + 1;
    const rotated = type === 'webhook_endpoint.changed' &&
      change.secrets && { secret_rotated: true as const };
    const commit: EndpointCommit = { type, at: new Date(), ...rotated, ...origin };
    const { $set, $unset } = numberedCommit(next, commit);
    const update = { $set: { ...change, revision: next, ...$set }, $unset } as UpdateFilter<StoredEndpoint>;
    const filter = { ...condition, workspace_id, _id, revision, ...notDeleted };
    const options = { returnDocument: 'after', ...within(timed) } as const;
    return (await this.#endpoints.findOneAndUpdate(filter, update, options)) ?? undefined;
  }

  /** Deletes an endpoint: its last event is left of it. Returns it as it was. */
  async delete(workspaceId: string, id: string, context: CallContext): Promise<StoredEndpoint> {
    const nothing = {
      url: '',
      description: null,
      secrets: [],
      slot: null,
      idempotency_key: null,
      behind: null,
    };
    const expires_at = new Date(Date.now() + REST_KEPT_MS);
    const rest = () => ({ ...nothing, status: 'disabled', expires_at }) as const;
    return (await this.change(workspaceId, id, context, rest, 'webhook_endpoint.deleted')).before;
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

  /** Records that an endpoint that did not fail begins to, and publishes that unless it did a moment ago. */
  async beganToFail(present: StoredEndpoint, at: Date, timed: Timed): Promise<void> {
    const { _id, workspace_id, commits } = present;
    const type = 'webhook_endpoint.failing';
    const last = Object.values(commits).findLast((commit) => commit.type === type);
    const [change, condition] = [{ failing_since: at }, { failing_since: null }];
    if (last === undefined || at.getTime() - last.at.getTime() > FAILING_PUBLISHED_EVERY_MS)
      await this.changeFrom(present, change, { type, condition }, timed);
    else
      await this.#endpoints.updateOne({ workspace_id, _id, ...condition }, { $set: change }, within(timed));
  }

  /** Has the fan-out add the events of an endpoint from an order on for it alone, also those that were added before. */
  async fallBehind({ _id, workspace_id }: EndpointId, from: string, timed: Timed): Promise<void> {
    const version = { $add: [{ $ifNull: ['$behind.version', 0] }, 1] };
    // `$min` ignores what is missing.
    const behind = { from: { $min: ['$behind.from', from] }, look_at: '$$NOW', version };
    const filter = { workspace_id, _id, status: 'enabled' } as const;
    await this.#endpoints.updateOne(filter, [{ $set: { behind } }], within(timed));
  }

  /**
   * The endpoint behind that was looked at longest ago. Unless `catchUp` or `lookLater` says otherwise, the look failed: the next one is a
   * while later, twice as long after each.
   */
  async nextBehind(): Promise<StoredEndpoint | undefined> {
    const now = Date.now();
    const options = { sort: { 'behind.look_at': 1 }, ...within(inBackground) } as const;
    const found = await this.#endpoints.findOne({ 'behind.look_at': { $lte: new Date(now) } }, options);
    if (found === null) return undefined;
    const { _id, workspace_id, behind } = found;
    const filter = { workspace_id, _id, 'behind.version': behind!.version };
    const { failures = 0 } = behind!;
    const waitMs = Math.min(LOOK_MS * 2 ** failures, LONGEST_LOOK_MS);
    const later = { 'behind.look_at': new Date(now + waitMs), 'behind.failures': failures + 1 };
    await this.#endpoints.updateOne(filter, { $set: later }, within(inBackground));
    return found;
  }

  /** Has the fan-out look at an endpoint behind a while later, because too many of its deliveries wait. */
  async lookLater({ _id, workspace_id, behind }: StoredEndpoint): Promise<void> {
    const filter = { workspace_id, _id, 'behind.version': behind!.version };
    const later = { 'behind.look_at': new Date(Date.now() + LOOK_MS), 'behind.failures': 0 };
    await this.#endpoints.updateOne(filter, { $set: later }, within(inBackground));
  }

  /** Records how far the events of an endpoint behind are in the queue, or all of them, unless it fell behind again since. */
  async catchUp({ _id, workspace_id, behind }: StoredEndpoint, from: string | undefined): Promise<void> {
    const filter = { workspace_id, _id, 'behind.version': behind!.version };
    const next = { 'behind.from': from!, 'behind.look_at': new Date(), 'behind.failures': 0 };
    const set = from === undefined ? { behind: null } : next;
    await this.#endpoints.updateOne(filter, { $set: set }, within(inBackground));
  }

  /** Has a replica that reads no longer fail to `catchUp`: that replica knows nothing of the events that this one does not add. */
  async takeOver(): Promise<void> {
    const behind = { 'behind.look_at': { $gt: new Date(0) } };
    await this.#endpoints.updateMany(behind, { $inc: { 'behind.version': 1 } }, within(inBackground));
  }

  /** The right to make the first attempt of a process at an endpoint. */
  leaseOn(options: LeaseOptions<StoredEndpoint>): Lease<StoredEndpoint> {
    return new Lease(this.#endpoints, options);
  }

  /** Counts a test event. @returns how many there were before */
  async countTest({ _id, workspace_id }: EndpointId, timed: Timed): Promise<number> {
    const counted = { $inc: { tests: 1 } };
    return (
      (await this.#endpoints.findOneAndUpdate({ workspace_id, _id }, counted, within(timed)))?.tests ?? 0
    );
  }
}
