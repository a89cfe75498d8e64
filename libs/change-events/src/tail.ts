import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { inBackground } from '@action-platform/contracts/calls';
import { failureLevel } from '@action-platform/contracts/errors';
import type { ServiceName } from '@action-platform/contracts/services';
import { within } from '@action-platform/mongo';
import { counts, durations, gauge } from '@action-platform/telemetry';
import type { Db, Timestamp } from 'mongodb';
import { eventsSince, gapOf, gapsOf, type Workspaces } from './catch-up.ts';
import { type Beginning, ChangeStream, changeIn, isHistoryLost } from './change-stream.ts';
import { Checkpoints, type Taken } from './checkpoint.ts';
import { changesIn, type DatabaseChange, type Followed, type FollowedBy } from './followed.ts';
import { type EncodedEvent, encodedEvent, isWorkspaceId } from './messages.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';
import { Writes } from './writes.ts';

const publishing = durations('changes.duration');
const gaps = counts('changes.gaps');
const busy = counts('work.busy');

/** How often a replica tries to take the tail over, or to go on after a failure, in milliseconds. */
const RETRY_MS = 1_000;
/**
 * The least time of a batch that is not full, in milliseconds. Under load, few batches of many changes take a fraction of the work of many. An event
 * waits for the next batch.
 */
const BATCH_MS = 200;
/** The time until the next batch when the last one found nothing and no replica announces a write, in milliseconds. */
const IDLE_BATCH_MS = 1_000;

/** How many changes become events before this process goes on with other calls: about half a millisecond's work. */
const CHANGES_IN_A_TICK = 25;

interface FollowOptions extends PublisherOptions {
  readonly db: Db;
  readonly followed: readonly Followed[];
  readonly workspaces: Workspaces;
}

/** The publication of a service's changes. */
export interface Following {
  /** Has it look for changes soon, because this replica has written. */
  wrote(): void;
  /** Ends it; another replica goes on at once. */
  stop(): Promise<void>;
}

/**
 * Publishes every change of a service's database as an event, from the first start of the service on. One replica at a time does, under a
 * lease; no write waits for it. An event is published at least once, always with the same id: a replica that goes on after another
 * one repeats what was published since the stored checkpoint.
 *
 * @returns once the checkpoint of the first start is stored, so that every later change is an event.
 */
export async function followChanges<Service extends ServiceName, const All extends readonly Followed[]>(
  options: FollowOptions & { readonly service: Service; readonly followed: FollowedBy<Service, All> },
): Promise<Following> {
  return await followTail(options);
}

/** {@link followChanges} of any collections. */
export async function followTail(options: FollowOptions): Promise<Following> {
  const tail = new Tail(options, await Checkpoints.open(options.db));
  const ended = tail.run();
  return {
    wrote: () => tail.writes.wrote(),
    stop: async () => {
      tail.stop();
      await ended;
    },
  };
}

class Tail {
  readonly writes: Writes;
  readonly #options: FollowOptions;
  readonly #checkpoints: Checkpoints;
  readonly #publisher: Publisher;
  readonly #stopping = new AbortController();
  readonly #byCollection: ReadonlyMap<string, Followed>;
  /** The commit time of the oldest change that JetStream has not acknowledged, or since when this replica fails or waits for the database. */
  #waitingSince: Date | undefined;
  /** The time of the last published change, while this replica has the lease. */
  #lastPublishedAt = new Date();

  constructor(options: FollowOptions, checkpoints: Checkpoints) {
    this.#options = options;
    this.#byCollection = new Map(options.followed.map((each) => [each.collection, each]));
    this.writes = new Writes(options.service, options.bus);
    this.#checkpoints = checkpoints;
    this.#publisher = new Publisher(options, checkpoints, this.#stopping.signal);
    gauge('changes.tail.lag', () => secondsSince(this.#waitingSince));
  }

  stop(): void {
    this.#stopping.abort();
    this.writes.endWait();
  }

  /** Follows the changes whenever this replica has the lease; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const taken = await this.#checkpoints.take();
        if (taken === undefined) this.#waitingSince = undefined;
        else await this.#follow(taken);
      } catch (err) {
        if (!signal.aborted)
          this.#options.log[failureLevel(err)]({ err }, 'the tail of changes failed; a replica will go on');
        this.#waitingSince ??= new Date();
      }
      await delay(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Publishes until this replica stops or fails, then leaves the checkpoint to the next one. */
  async #follow({ beginning, lastPublishedAt }: Taken): Promise<void> {
    this.#lastPublishedAt = lastPublishedAt;
    this.#waitingSince ??= new Date();
    try {
      for (let next: Beginning | undefined = beginning; next !== undefined; )
        next = await this.#publishFrom(next);
    } finally {
      await this.#checkpoints.leave();
    }
  }

  /** Publishes the changes from a checkpoint on, until this replica stops; returns another checkpoint when that one is lost. */
  async #publishFrom(beginning: Beginning): Promise<Beginning | undefined> {
    const { db, followed } = this.#options;
    let stream: ChangeStream | undefined;
    try {
      stream = await ChangeStream.open(db, followed, beginning);
      await this.#publishBatches(stream);
      return undefined;
    } catch (error) {
      if (!isHistoryLost(error)) throw error;
      return await this.#catchUp(JSON.stringify(beginning));
    } finally {
      await stream?.close();
    }
  }

  async #publishBatches(stream: ChangeStream): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const begunAt = performance.now();
      this.#waitingSince ??= new Date();
      const { changes, token, isFull } = await stream.next(signal);
      if (changes.length > 0) {
        this.#waitingSince = changeIn(changes[0]!).wallTime;
        await this.#publisher.publish(await this.#eventsOfAll(changes));
        publishing(secondsSince(this.#waitingSince) * 1000, {});
        this.#lastPublishedAt = changeIn(changes.at(-1)!).wallTime;
      }
      this.#waitingSince = undefined;
      this.#checkpoints.reached({ token, lastPublishedAt: this.#lastPublishedAt }, changes.length > 0);
      await this.#checkpoints.keep();
      const busyMs = performance.now() - begunAt;
      busy(busyMs / 1000, { 'work.name': 'change_feed' });
      const remainingMs = BATCH_MS - busyMs;
      if (remainingMs > 0 && !isFull) await delay(remainingMs, undefined, { signal }).catch(() => {});
      if (changes.length === 0) await this.writes.next(IDLE_BATCH_MS - BATCH_MS);
    }
  }

  /** The events of changes (BSON), in their order. */
  async #eventsOfAll(changes: readonly Uint8Array[]): Promise<EncodedEvent[]> {
    const events: EncodedEvent[] = [];
    for (const [index, change] of changes.entries()) {
      if (index > 0 && index % CHANGES_IN_A_TICK === 0) await setImmediate();
      events.push(...this.#eventsOf(changeIn(change)));
    }
    return events;
  }

  /** The events of a change. When its document cannot become one, the tail publishes a gap for its Workspace, and no other waits. */
  #eventsOf(change: DatabaseChange): readonly EncodedEvent[] {
    const { service, log } = this.#options;
    const { coll: collection } = change.ns;
    try {
      return changesIn(change, this.#byCollection.get(collection)!).map((one) => encodedEvent(service, one));
    } catch (err) {
      const { _id, workspace_id } = change.fullDocument as Partial<Record<string, unknown>>;
      const workspaceId = [workspace_id, (_id as { workspace_id?: unknown } | null)?.workspace_id, _id].find(
        isWorkspaceId,
      );
      gaps(1);
      const ids = { collection, workspace_id: workspaceId, id: shortened(_id) };
      log.error({ err, ...ids }, 'a change cannot be read: its event is missing');
      // An event without a Workspace has no reader.
      if (workspaceId === undefined) return [];
      const { wallTime: time } = change;
      const distinct = JSON.stringify([collection, _id, time]);
      return [encodedEvent(service, gapOf(service, { workspaceId, time, distinct }))];
    }
  }

  /**
   * Publishes to every Workspace that events are missing, and publishes what the documents show since the last published change.
   *
   * @param lost the lost checkpoint, which names the gap: a repetition names the same.
   * @returns the checkpoint from which the changes go on.
   */
  async #catchUp(lost: string): Promise<Beginning> {
    const { service, db, log, followed, workspaces } = this.#options;
    gaps(1);
    log.error(
      { published_until: this.#lastPublishedAt },
      'the oplog does not reach back to the last published change: events are missing; catching up from the documents',
    );
    const { operationTime } = await db.command({ ping: 1, ...within(inBackground) });
    const now: Timestamp = operationTime;
    for await (const events of gapsOf(service, db, workspaces, lost)) await this.#publisher.publish(events);
    const onUnreadable = (err: unknown, collection: string, id: unknown) =>
      log.error({ err, collection, id: shortened(id) }, 'a document cannot be read: its events are missing');
    const missed = { db, service, followed, since: this.#lastPublishedAt, at: now };
    for await (const events of eventsSince(missed, onUnreadable)) {
      this.#stopping.signal.throwIfAborted();
      await this.#publisher.publish(events);
    }
    log.info('caught up from the documents');
    return { startAtOperationTime: now };
  }
}

function secondsSince(time: Date | undefined): number {
  return time === undefined ? 0 : Math.max(0, Date.now() - time.getTime()) / 1000;
}

/** An id for the log, as a stored document may have any. */
function shortened(id: unknown): string {
  return String(id).slice(0, 100);
}
