import { randomUUID } from 'node:crypto';
import { inBackground, type Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { AnyBulkWriteOperation, Collection, Document } from 'mongodb';
import { deliveryId, LISTED_MS, type StoredAttempt, type StoredDelivery } from './stored-delivery.ts';
import type { StoredEndpoint } from './stored-endpoint.ts';

type Owner = Pick<StoredEndpoint, '_id' | 'workspace_id'>;
type Status = StoredDelivery['status'];
type Lane = Pick<StoredDelivery, 'workspace_id' | 'endpoint_id' | 'lane'>;
type Write = AnyBulkWriteOperation<StoredDelivery>;

/** The place of a delivery in its listing. */
export interface DeliveryPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** An endpoint for which deliveries are claimed, and how many at most. */
export interface Asked {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly room: number;
}

/** The outcome of a claimed delivery. */
export interface Settled {
  readonly delivery: StoredDelivery;
  readonly status: Status;
  /** Of a waiting one: after how long it is due again, in milliseconds. */
  readonly pauseMs?: number;
  /** The attempt, unless none was made. */
  readonly attempt?: StoredAttempt;
}

/** How long a claim lasts, in milliseconds: longer than an attempt with its outcome. */
const CLAIM_MS = 20_000;
/** How many attempts of a delivery are kept. */
const ATTEMPTS_KEPT = 20;
/** How many deliveries are written at once. */
const WRITTEN_AT_ONCE = 1_000;

/** Matches what has a time from which it is due, as the index does; by the clock of the database, what is due now. */
const hasTime = { due_at: { $gt: new Date(0) } };
const isDue = { ...hasTime, $expr: { $lte: ['$due_at', '$$NOW'] } };
const notDue = { due_at: '', claim: '' } as const;
/** A claim that a failover loses is made again: its deliveries are repeated, which is permitted. */
const UNCONFIRMED = { writeConcern: { w: 1 } };

/** The deliveries of all endpoints: a queue. Replicas claim them, each by one conditional update. */
export class Deliveries {
  readonly #deliveries: Collection<StoredDelivery>;

  constructor(deliveries: Collection<StoredDelivery>) {
    this.#deliveries = deliveries;
  }

  /**
   * Adds deliveries in their order; one that is there stays as it is, or is queued again with its former attempts. Then the first of each
   * lane is due. Both are safe to repeat. The same command does both, so that whatever ends this process leaves no lane without a first.
   */
  async add(deliveries: readonly StoredDelivery[], isAgain = false): Promise<void> {
    for (let at = 0; at < deliveries.length; at += WRITTEN_AT_ONCE) {
      const some = deliveries.slice(at, at + WRITTEN_AT_ONCE);
      const writes = some.map((delivery): Write => {
        const { _id, workspace_id, attempts, created_at, event, ...queued } = delivery;
        const made = { attempts, created_at, event };
        const update = isAgain
          ? { $set: queued, $setOnInsert: made, $unset: notDue }
          : { $setOnInsert: { ...queued, ...made } };
        return { updateOne: { filter: { workspace_id, _id }, update: update as Document, upsert: true } };
      });
      const options = { ordered: isAgain, ...within(inBackground) };
      await this.#deliveries.bulkWrite(isAgain ? writes : [...writes, ...promotions(some)], options);
    }
  }

  /** Makes the first waiting delivery of each of these lanes due, unless it is. */
  async promote(lanes: readonly Lane[]): Promise<void> {
    if (lanes.length > 0)
      await this.#deliveries.bulkWrite(promotions(lanes), { ordered: false, ...within(inBackground) });
  }

  /** Makes a delivery due in each lane in which none is: a process and its database have ended at once. */
  async repair(): Promise<void> {
    const _id = { workspace_id: '$workspace_id', endpoint_id: '$endpoint_id', lane: '$lane' };
    const stages = [
      { $match: { status: 'waiting' } },
      { $group: { _id, due: { $max: '$due_at' } } },
      { $match: { due: null } },
    ];
    const options = { hint: 'lane', ...within(inBackground) };
    const found = this.#deliveries.aggregate<{ _id: Lane }>(stages, options);
    await this.promote((await found.toArray()).map((lane) => lane._id));
  }

  /** The ids of the endpoints with a delivery that is due, by this process's clock: each claim asks the database's. */
  async dueEndpoints(): Promise<string[]> {
    const due_at = { $gt: new Date(0), $lte: new Date() };
    return await this.#deliveries.distinct('endpoint_id', { due_at }, within(inBackground));
  }

  /** Claims deliveries that are due, the earliest of each endpoint: no other replica has any of them until it is settled, or its claim ends. */
  async claim(asked: readonly Asked[]): Promise<StoredDelivery[]> {
    const options = within(inBackground);
    const due = await Promise.all(
      asked.map(({ workspaceId: workspace_id, endpointId: endpoint_id, room }) =>
        this.#deliveries
          .find({ workspace_id, endpoint_id, ...isDue }, options)
          .sort({ due_at: 1 })
          .limit(room)
          .toArray(),
      ),
    );
    const found = due.flat();
    if (found.length === 0) return [];
    const claim = randomUUID();
    const update = [{ $set: { claim, due_at: { $add: ['$$NOW', CLAIM_MS] } } }];
    const claims = found.map(({ workspace_id, _id, due_at }): Write => {
      return { updateOne: { filter: { workspace_id, _id, due_at: due_at! }, update } };
    });
    const { modifiedCount } = await this.#deliveries.bulkWrite(claims, {
      ordered: false,
      ...UNCONFIRMED,
      ...options,
    });
    const claimed = found.map((delivery) => ({ ...delivery, claim }));
    if (modifiedCount === found.length) return claimed;
    const ids = found.map(({ _id }) => _id);
    const workspaces = [...new Set(found.map(({ workspace_id }) => workspace_id))];
    const filter = { workspace_id: { $in: workspaces }, _id: { $in: ids }, claim };
    // Concern local: the claims of a moment ago are not of a majority yet.
    const ours = await this.#deliveries
      .find(filter, { projection: { _id: 1 }, readConcern: { level: 'local' }, ...options })
      .toArray();
    const won = new Set(ours.map(({ _id }) => _id));
    return claimed.filter(({ _id }) => won.has(_id));
  }

  /**
   * Settles claimed deliveries, each by one conditional update that names its claim, and makes the next of a lane due in the same command.
   *
   * @returns whether deliveries became due.
   */
  async settle(settled: readonly Settled[]): Promise<boolean> {
    const writes = settled.flatMap(({ delivery, status, pauseMs = 0, attempt }): Write[] => {
      const { workspace_id, _id, claim } = delivery;
      const isWaiting = status === 'waiting';
      const kept = { $concatArrays: ['$attempts', [{ $literal: attempt }]] };
      const update = {
        $set: {
          status,
          claim: '$$REMOVE',
          due_at: isWaiting ? { $add: ['$$NOW', pauseMs] } : '$$REMOVE',
          ...(status !== 'held' && { expires_at: new Date(Date.now() + LISTED_MS[status]) }),
          ...(attempt && { attempts: { $slice: [kept, -ATTEMPTS_KEPT] }, tries: { $add: ['$tries', 1] } }),
        },
      };
      const settle: Write = { updateOne: { filter: { workspace_id, _id, claim: claim! }, update: [update] } };
      return isWaiting ? [settle] : [settle, ...promotions([delivery])];
    });
    const { modifiedCount } = await this.#deliveries.bulkWrite(writes, within(inBackground));
    return modifiedCount > settled.length;
  }

  /** Whether so many deliveries of an endpoint wait. */
  async hasWaiting(endpoint: Owner, limit: number): Promise<boolean> {
    const filter = { ...of(endpoint), status: 'waiting' } as const;
    return (
      (await this.#deliveries.countDocuments(filter, { limit, hint: 'lane', ...within(inBackground) })) >=
      limit
    );
  }

  /** Takes the waiting deliveries from an order on out of the queue, until the fan-out comes to their events again. */
  async hold(endpoint: Owner, from: string, timed: Timed): Promise<void> {
    const filter = { ...of(endpoint), status: 'waiting', order: { $gte: from } } as const;
    await this.#deliveries.updateMany(filter, { $set: { status: 'held' }, $unset: notDue }, within(timed));
  }

  /** Puts held deliveries before an order back in the queue, and returns them: the stream does not have their events any more. */
  async unhold(endpoint: Owner, before: string): Promise<StoredDelivery[]> {
    const filter = { ...of(endpoint), status: 'held', order: { $lt: before } } as const;
    const held = await this.#deliveries.find(filter, within(inBackground)).toArray();
    if (held.length > 0)
      await this.#deliveries.updateMany(filter, { $set: { status: 'waiting' } }, within(inBackground));
    return held;
  }

  /** A delivery of an endpoint. */
  async find(endpoint: Owner, eventId: string, timed: Timed): Promise<StoredDelivery | undefined> {
    const filter = { workspace_id: endpoint.workspace_id, _id: deliveryId(endpoint._id, eventId) };
    return (await this.#deliveries.findOne(filter, within(timed))) ?? undefined;
  }

  /** Makes a delivery due now: one that waits for no other one, or that is delivered or dead, which then is in a lane of its own. */
  async resend({ workspace_id, _id, event_id, status, due_at }: StoredDelivery, timed: Timed): Promise<void> {
    const filter = { workspace_id, _id, status, ...(due_at && { due_at, claim: { $exists: false } }) };
    if (status === 'held' || (status === 'waiting' && due_at === undefined)) return;
    const again = { lane: event_id, tries: 0, queued_at: '$$NOW' };
    const expires_at = new Date(Date.now() + LISTED_MS.waiting);
    const set = { status: 'waiting', due_at: '$$NOW', expires_at, ...(status !== 'waiting' && again) };
    await this.#deliveries.updateOne(filter, [{ $set: set }], within(timed));
  }

  /** The deliveries of an endpoint, newest first, from after a place. */
  list(
    endpoint: Owner,
    status: Exclude<Status, 'held'> | undefined,
    after: DeliveryPlace | undefined,
    limit: number,
    timed: Timed,
  ): AsyncIterable<StoredDelivery> {
    const ofStatus = status === undefined ? {} : { status };
    const further =
      after === undefined
        ? {}
        : {
            $or: [
              { created_at: { $lt: after.createdAt } },
              { created_at: after.createdAt, _id: { $lt: after.id } },
            ],
          };
    return this.#deliveries
      .find({ ...of(endpoint), ...ofStatus, ...further }, within(timed))
      .sort({ created_at: -1, _id: -1 })
      .limit(limit);
  }

  /** Makes dead what waits. */
  async endWaiting(endpoint: Owner, timed: Timed): Promise<void> {
    const dead = { status: 'dead', expires_at: new Date(Date.now() + LISTED_MS.dead) } as const;
    const filter = { ...of(endpoint), status: { $in: ['waiting', 'held'] as Status[] } };
    await this.#deliveries.updateMany(filter, { $set: dead, $unset: notDue }, within(timed));
  }

  /** Deletes the delivery of an event, or all of an endpoint. */
  async delete(endpoint: Owner, eventId: string | undefined, timed: Timed): Promise<void> {
    const one = eventId === undefined ? {} : { _id: deliveryId(endpoint._id, eventId) };
    await this.#deliveries.deleteMany({ ...of(endpoint), ...one }, within(timed));
  }
}

/** Writes that make the first waiting delivery of each lane due, unless it is. */
function promotions(lanes: readonly Lane[]): Write[] {
  const byLane = new Map(lanes.map((one) => [`${one.endpoint_id} ${one.lane}`, one]));
  const update = [{ $set: { due_at: { $ifNull: ['$due_at', '$$NOW'] } } }];
  return [...byLane.values()].map(({ workspace_id, endpoint_id, lane }) => {
    const filter = { workspace_id, endpoint_id, lane, status: 'waiting' } as const;
    return { updateOne: { filter, update, sort: { order: 1 } } };
  });
}

function of({ _id, workspace_id }: Owner) {
  return { workspace_id, endpoint_id: _id };
}
