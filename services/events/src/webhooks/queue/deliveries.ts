import { randomUUID } from 'node:crypto';
import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { togetherOrAlone, within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import type { EndpointId } from '../endpoints/stored-endpoint.ts';
import { addition, type Lane, promotions, type Settled, settlement } from './delivery-writes.ts';
import {
  deliveryId,
  isClaimed,
  isOfMessages,
  LISTED_MS,
  type StoredAttempt,
  type StoredDelivery,
} from './stored-delivery.ts';

type Status = StoredDelivery['status'];

/** A delivery that this replica has claimed. */
export interface Claimed {
  readonly delivery: StoredDelivery;
  /** Names the claim. */
  readonly owner: string;
  /** The attempt of a former claim that nobody settled: its process ended. */
  readonly interrupted?: StoredAttempt;
}

/** How long a claim lasts, in milliseconds: longer than an attempt with its outcome. */
const CLAIM_MS = 20_000;
/** How long the owner of a claim that ended may still settle it, in milliseconds: longer than a process waits before it tries again. */
const AWAITED_MS = 5_000;
/** How many deliveries are written at once, and in how many groups of endpoints: MongoDB works on a command with one processor. */
const WRITTEN_AT_ONCE = 1_000;
const GROUPS = 4;

/** Matches what is due by the clock of the database; the first condition is that of the index. */
const isDue = { due_at: { $gt: new Date(0) }, $expr: { $lte: ['$due_at', '$$NOW'] } };

/** The deliveries of all endpoints: a queue. Replicas claim them, each by one conditional update. */
export class Deliveries {
  readonly #deliveries: Collection<StoredDelivery>;

  constructor(deliveries: Collection<StoredDelivery>) {
    this.#deliveries = deliveries;
  }

  /**
   * Adds deliveries in their order; a stored delivery stays as it is, or is queued again with its former attempts. Then the first of each
   * lane is due. Both steps may be repeated. One command does both, so that whatever ends this process leaves no lane without a first.
   *
   * @returns the error of each endpoint whose deliveries the database refused, by its id.
   */
  async add(deliveries: readonly StoredDelivery[], isAgain = false): Promise<ReadonlyMap<string, unknown>> {
    const refused = new Map<string, unknown>();
    for (let at = 0; at < deliveries.length; at += WRITTEN_AT_ONCE) {
      const some = deliveries.slice(at, at + WRITTEN_AT_ONCE);
      const byEndpoint = [...Map.groupBy(some, ({ endpoint_id }) => endpoint_id)];
      const added = byEndpoint.filter(([id]) => !refused.has(id));
      const addAll = async (each: readonly (typeof added)[number][]) => {
        const all = each.flatMap(([, ofEndpoint]) => ofEndpoint);
        const writes = [...all.map((row) => addition(row, isAgain)), ...promotions(all)];
        await this.#deliveries.bulkWrite(writes, within(inBackground));
      };
      const failed = await togetherOrAlone(added, addAll, GROUPS);
      for (const [[id], error] of failed) refused.set(id, error);
    }
    return refused;
  }

  /** Adds a delivery that is due, in place of any with its id. */
  async put(delivery: StoredDelivery, timed: Timed): Promise<void> {
    const { _id, workspace_id } = delivery;
    const put = { filter: { workspace_id, _id }, replacement: delivery, upsert: true };
    await this.#deliveries.bulkWrite([{ replaceOne: put }, ...promotions([delivery])], within(timed));
  }

  /**
   * Makes a delivery due in each lane in which none is: a process and its database have ended at once. `repair` reads the deliveries of one
   * endpoint after the other, as a command has a time limit and those of all endpoints may be millions.
   */
  async repair(stopping: AbortSignal): Promise<void> {
    const endpoint = { workspace_id: '$workspace_id', endpoint_id: '$endpoint_id' };
    const waiting = { $match: { status: 'waiting' } };
    // The index has all that this query reads.
    const options = () => ({ hint: 'lane', ...within(inBackground) });
    const all = await this.#deliveries
      .aggregate<{ _id: Pick<Lane, 'workspace_id' | 'endpoint_id'> }>(
        [waiting, { $group: { _id: endpoint } }],
        options(),
      )
      .toArray();
    for (const { _id: receiver } of all) {
      if (stopping.aborted) return;
      const lanes = [
        { $match: { ...receiver, status: 'waiting' } },
        { $group: { _id: { ...endpoint, lane: '$lane' }, due: { $max: '$due_at' } } },
        { $match: { due: null } },
      ];
      const found = await this.#deliveries.aggregate<{ _id: Lane }>(lanes, options()).toArray();
      const writes = promotions(found.map((lane) => lane._id));
      if (writes.length > 0) await this.#deliveries.bulkWrite(writes, within(inBackground));
    }
  }

  /** The ids of the endpoints with a delivery that is due, by this process's clock: each claim asks the database's. */
  async dueEndpoints(): Promise<string[]> {
    const due_at = { $gt: new Date(0), $lte: new Date() };
    return await this.#deliveries.distinct('endpoint_id', { due_at }, within(inBackground));
  }

  /**
   * Claims the delivery of an endpoint that is due first: no other replica has it until it is settled, or its claim ends. The owner of a
   * claim that ended has a moment to settle it: the database may have been away.
   */
  async claim(endpoint: EndpointId): Promise<Claimed | undefined> {
    const owner = randomUUID();
    // `isClaimed`, as the database sees it.
    const isLeft = {
      $and: ['$claim', { $eq: ['$claim.until', '$due_at'] }, { $not: ['$claim.is_awaited'] }],
    };
    const until = { $add: ['$$NOW', { $cond: [isLeft, AWAITED_MS, CLAIM_MS] }] };
    const awaited = { $mergeObjects: ['$claim', { until, is_awaited: true }] };
    const claim = { $cond: [isLeft, awaited, { owner, begun_at: '$$NOW', until }] };
    const update = [{ $set: { due_at: until, claim } }];
    // A claim that a failover loses is made again: its delivery is repeated, which is permitted.
    const writeConcern = { w: 1 };
    const options = { sort: { due_at: 1 }, returnDocument: 'before', writeConcern } as const;
    for (;;) {
      const filter = { ...of(endpoint), ...isDue };
      const found = await this.#deliveries.findOneAndUpdate(filter, update, {
        ...options,
        ...within(inBackground),
      });
      if (found === null) return undefined;
      if (!isClaimed(found)) return { delivery: found, owner };
      const { begun_at: at, until: ended, is_awaited } = found.claim!;
      if (!is_awaited) continue;
      const interrupted = { at, failure: 'interrupted', ms: ended.getTime() - at.getTime() } as const;
      return { delivery: found, owner, interrupted };
    }
  }

  /**
   * Settles claimed deliveries, each by one conditional update that names its claim, and makes the next of a lane due in the same command.
   *
   * @returns whether deliveries may have become due, and the error of each delivery whose settlement the database refused.
   */
  async settle(
    settled: readonly Settled[],
  ): Promise<{ readonly isMore: boolean; readonly refused: ReadonlyMap<Settled, unknown> }> {
    let isMore = false;
    const refused = await togetherOrAlone(settled, async (some) => {
      const writes = some.flatMap(settlement);
      const { modifiedCount } = await this.#deliveries.bulkWrite(writes, within(inBackground));
      isMore ||= modifiedCount > some.length;
    });
    return { isMore: isMore || refused.size > 0, refused };
  }

  /** Whether so many deliveries of an endpoint wait that come before an order. */
  async hasWaiting(endpoint: EndpointId, before: string, limit: number): Promise<boolean> {
    const filter = { ...of(endpoint), status: 'waiting', order: { $lt: before } } as const;
    const options = { limit, hint: 'lane', ...within(inBackground) };
    return (await this.#deliveries.countDocuments(filter, options)) >= limit;
  }

  /** A delivery of an endpoint. */
  async find(endpoint: EndpointId, id: string, timed: Timed): Promise<StoredDelivery | undefined> {
    const filter = { workspace_id: endpoint.workspace_id, _id: deliveryId(endpoint._id, id) };
    return (await this.#deliveries.findOne(filter, within(timed))) ?? undefined;
  }

  /**
   * Makes a delivery due now: one that waits for no other one, or that is delivered or dead, which then is in a lane of its own. For a
   * claimed delivery, the attempt under way counts instead.
   */
  async resend(delivery: StoredDelivery, timed: Timed): Promise<void> {
    const { workspace_id, _id, status, due_at } = delivery;
    if (status === 'waiting' && (due_at === undefined || isClaimed(delivery))) return;
    const again = { status: 'waiting', lane: _id, queued_at: '$$NOW' };
    const expires_at = new Date(Date.now() + LISTED_MS.waiting);
    const set = { due_at: '$$NOW', claim: '$$REMOVE', expires_at, ...(status !== 'waiting' && again) };
    // A claim made since moves `due_at`.
    const filter = { workspace_id, _id, status, ...(due_at && { due_at }) };
    await this.#deliveries.updateOne(filter, [{ $set: set }], within(timed));
  }

  /** The later deliveries of a lane of messages, in their order; none of another lane. */
  async alongside(delivery: StoredDelivery): Promise<Pick<StoredDelivery, '_id' | 'event'>[]> {
    if (!isOfMessages(delivery)) return [];
    const { workspace_id, endpoint_id, lane, order } = delivery;
    const filter = { workspace_id, endpoint_id, lane, status: 'waiting', order: { $gt: order } } as const;
    const options = { projection: { event: 1 }, sort: { order: 1 }, limit: WRITTEN_AT_ONCE } as const;
    return await this.#deliveries.find(filter, { ...options, ...within(inBackground) }).toArray();
  }

  /** The deliveries of an endpoint, newest first. @param after the place of one in this order */
  list(
    endpoint: EndpointId,
    status: Status | undefined,
    after: { readonly createdAt: Date; readonly id: string } | undefined,
    limit: number,
    timed: Timed,
  ): AsyncIterable<StoredDelivery> {
    const { createdAt: created_at, id } = after ?? {};
    const further = {
      $or: [{ created_at: { $lt: created_at! } }, { created_at: created_at!, _id: { $lt: id! } }],
    };
    const filter = { ...of(endpoint), ...(status && { status }), ...(after && further) };
    return this.#deliveries.find(filter, within(timed)).sort({ created_at: -1, _id: -1 }).limit(limit);
  }

  /** Makes dead what waits. */
  async endWaiting(endpoint: EndpointId, timed: Timed): Promise<void> {
    const set = { status: 'dead', expires_at: new Date(Date.now() + LISTED_MS.dead) } as const;
    const filter = { ...of(endpoint), status: 'waiting' } as const;
    await this.#deliveries.updateMany(
      filter,
      { $set: set, $unset: { due_at: '', claim: '' } },
      within(timed),
    );
  }

  /** Deletes all of an endpoint. */
  async delete(endpoint: EndpointId, timed: Timed): Promise<void> {
    await this.#deliveries.deleteMany(of(endpoint), within(timed));
  }
}

function of({ _id, workspace_id }: EndpointId) {
  return { workspace_id, endpoint_id: _id };
}
