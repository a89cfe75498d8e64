import type { Timed } from '@action-platform/contracts';
import { within } from '@action-platform/mongo';
import type { Collection } from 'mongodb';
import { type Delivery, fromStored, toStored } from './delivery.ts';
import { LISTED_MS, type StoredDelivery } from './stored-delivery.ts';
import type { Position, StoredEndpoint } from './stored-endpoint.ts';

type Owner = Pick<StoredEndpoint, '_id' | 'workspace_id'>;
type Status = StoredDelivery['status'];

/** The place of a delivery in its listing. */
export interface DeliveryPlace {
  readonly createdAt: Date;
  readonly id: string;
}

/** The stored deliveries of all endpoints. */
export class Deliveries {
  readonly #deliveries: Collection<StoredDelivery>;

  constructor(deliveries: Collection<StoredDelivery>) {
    this.#deliveries = deliveries;
  }

  /** The waiting deliveries of an endpoint. */
  async waiting(endpoint: Owner, timed: Timed): Promise<Delivery[]> {
    const stored = this.#deliveries.find({ ...of(endpoint), status: 'waiting' }, within(timed));
    return (await stored.toArray()).map(fromStored);
  }

  /** Stores deliveries as they are now. */
  async put(deliveries: readonly Delivery[], endpoint: Owner, timed: Timed): Promise<void> {
    if (deliveries.length === 0) return;
    const now = Date.now();
    const writes = deliveries.map((delivery) => {
      const { _id, ...replacement } = toStored(delivery, endpoint, now);
      const filter = { workspace_id: endpoint.workspace_id, _id };
      return { replaceOne: { filter, replacement, upsert: true } };
    });
    await this.#deliveries.bulkWrite(writes, { ...within(timed) });
  }

  /** The deliveries of an endpoint, newest first, from after a place. */
  list(
    endpoint: Owner,
    status: Status | undefined,
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
    const expires_at = new Date(Date.now() + LISTED_MS.dead);
    const dead = { status: 'dead', next_attempt_at: null, expires_at } as const;
    await this.#deliveries.updateMany({ ...of(endpoint), status: 'waiting' }, { $set: dead }, within(timed));
  }

  /** Deletes waiting deliveries from a place on, before the events there are read again. */
  async deleteWaiting(endpoint: Owner, { sequence, index }: Position, timed: Timed): Promise<void> {
    const fromThere = [{ sequence: { $gt: sequence } }, { sequence, index: { $gte: index } }];
    await this.#deliveries.deleteMany({ ...of(endpoint), status: 'waiting', $or: fromThere }, within(timed));
  }

  /** Deletes all deliveries of an endpoint. */
  async deleteAll(endpoint: Owner, timed: Timed): Promise<void> {
    await this.#deliveries.deleteMany(of(endpoint), within(timed));
  }
}

function of({ _id, workspace_id }: Owner) {
  return { workspace_id, endpoint_id: _id };
}
