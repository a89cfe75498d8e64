import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { insertEach, within } from '@action-platform/mongo';
import type { Collection, FindOptions } from 'mongodb';
import { recordIdsOf } from '../quota/push-block.ts';
import {
  type ReservationOutcome,
  type ReservationOutcomes,
  type Reserved,
  type ReservedBlock,
  type ReservedChange,
  releasedBytes,
} from '../quota/stored-usage.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import type { Head, StoredHead, VoidedPush } from '../storage/stored-head.ts';
import type { StoredRevision } from '../storage/stored-revision.ts';

/** The traces of writes on the head of a Record. */
type Traces = Pick<StoredHead, 'state'> & { version: number; write_id: string; deletion_id?: string };

/** The time for which the id of an aborted push stays taken, in milliseconds: far longer than any network delays a message. */
const VOID_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Finds the outcomes of reservations in heads and histories, and decides those in doubt: `RecordOutcomes` either finds
 * the write or makes it impossible. The header of `writes/push.ts` has the protocol.
 */
export class RecordOutcomes implements ReservationOutcomes {
  readonly #heads: Collection<StoredHead>;
  readonly #revisions: Collection<StoredRevision>;

  constructor(heads: Collection<StoredHead>, revisions: Collection<StoredRevision>) {
    this.#heads = heads;
    this.#revisions = revisions;
  }

  async find(
    workspaceId: string,
    reservations: readonly Reserved[],
    timed: Timed,
    snapshot?: Snapshot,
  ): Promise<Map<string, ReservationOutcome>> {
    const options = { ...snapshot, ...within(timed) };
    const ofChanges = await this.#findChanges(workspaceId, reservations.filter(isChange), options);
    const ofBlocks = await this.#findBlocks(workspaceId, reservations.filter(isBlock), options);
    return new Map([...ofChanges, ...ofBlocks]);
  }

  async decide(
    workspaceId: string,
    reservations: readonly Reserved[],
  ): Promise<Map<string, ReservationOutcome>> {
    const changes = reservations.filter(isChange);
    const pushes = changes.filter(isPush).map(({ record_id }) => record_id);
    const others = changes.filter((change) => !isPush(change));
    const inBlocks = reservations.filter(isBlock).flatMap((block) => [...recordIdsOf(block)]);
    await Promise.all([this.#void(workspaceId, [...pushes, ...inBlocks]), this.#fence(workspaceId, others)]);
    const found = await this.find(workspaceId, reservations, inBackground);
    // A change that was prepared on a head that is fenced now cannot be made.
    for (const { write_id } of others) found.set(write_id, { ...found.get(write_id)!, isFinal: true });
    return found;
  }

  /**
   * A write stores its id in the head, and the id of a revision is copied into the history before the next revision
   * replaces it. A write can only be made on the version it was prepared for. A deletion removes the history after all
   * changes of the Record are settled.
   */
  async #findChanges(
    workspaceId: string,
    changes: readonly ReservedChange[],
    options: FindOptions,
  ): Promise<[string, ReservationOutcome][]> {
    // The heads are read first: a revision that is replaced between the two reads is then found in the history.
    const heads = await this.#findTraces(workspaceId, changes, options);
    const past = changes.filter(
      ({ kind, record_id, version }) => kind === 'revision' && version < (heads.get(record_id)?.version ?? 0),
    );
    const inHistory = await this.#findInHistory(workspaceId, past, options);
    return changes.map((change) => {
      const isMade = inHistory.has(change.write_id) || isMadeByHead(change, heads.get(change.record_id));
      return [change.write_id, outcomeOf(change, isMade)];
    });
  }

  /** A push in a block can still be made as long as no head, tombstone or void has its record id. */
  async #findBlocks(
    workspaceId: string,
    blocks: readonly ReservedBlock[],
    options: FindOptions,
  ): Promise<[string, ReservationOutcome][]> {
    if (blocks.length === 0) return [];
    const ids = new Map(blocks.map((block) => [block, [...recordIdsOf(block)]]));
    const heads = await this.#heads
      .find({ workspace_id: workspaceId, _id: { $in: [...ids.values()].flat() } }, options)
      .project<Pick<Head, '_id' | 'pushed_bytes'>>({ pushed_bytes: 1 })
      .toArray();
    const stored = new Map(heads.map(({ _id, pushed_bytes = 0 }) => [_id, pushed_bytes]));
    return blocks.map((block) => {
      const ofBlock = ids.get(block)!;
      const released = ofBlock.reduce((left, id) => left - (stored.get(id) ?? 0), block.bytes);
      return [block.write_id, { released, isFinal: ofBlock.every((id) => stored.has(id)) }];
    });
  }

  /** Inserts voids under the ids that no Record has. */
  async #void(workspaceId: string, recordIds: readonly string[]): Promise<void> {
    if (recordIds.length === 0) return;
    const expires_at = new Date(Date.now() + VOID_FOR_MS);
    await insertEach<StoredHead>(
      this.#heads,
      recordIds.map((_id): VoidedPush => ({ _id, workspace_id: workspaceId, state: 'void', expires_at })),
      inBackground,
    );
  }

  /** Raises the fences of the heads that still have the version on which the changes were prepared. */
  async #fence(workspaceId: string, changes: readonly ReservedChange[]): Promise<void> {
    if (changes.length === 0) return;
    await this.#heads.bulkWrite(
      changes.map((change) => ({
        updateOne: {
          filter: {
            workspace_id: workspaceId,
            _id: change.record_id,
            version: { $lte: preparedOn(change) },
            state: { $ne: 'deleted' },
          },
          update: { $inc: { fence: 1 } },
        },
      })),
      { ordered: false, ...within(inBackground) },
    );
  }

  async #findTraces(
    workspaceId: string,
    changes: readonly ReservedChange[],
    options: FindOptions,
  ): Promise<Map<string, Traces>> {
    if (changes.length === 0) return new Map();
    const ids = [...new Set(changes.map(({ record_id }) => record_id))];
    const heads = await this.#heads
      .find({ workspace_id: workspaceId, _id: { $in: ids } }, options)
      .project<Traces & { _id: string }>({ state: 1, version: 1, write_id: 1, deletion_id: 1 })
      .toArray();
    return new Map(heads.map((head) => [head._id, head]));
  }

  async #findInHistory(
    workspaceId: string,
    changes: readonly ReservedChange[],
    options: FindOptions,
  ): Promise<Set<string>> {
    if (changes.length === 0) return new Set();
    const filter = {
      workspace_id: workspaceId,
      record_id: { $in: [...new Set(changes.map(({ record_id }) => record_id))] },
      version: { $in: [...new Set(changes.map(({ version }) => version))] },
    };
    const found = await this.#revisions
      .find(filter, options)
      .project<{ write_id: string }>({ write_id: 1 })
      .toArray();
    return new Set(found.map(({ write_id }) => write_id));
  }
}

function isBlock(reserved: Reserved): reserved is ReservedBlock {
  return reserved.kind === 'pushes';
}

function isChange(reserved: Reserved): reserved is ReservedChange {
  return reserved.kind !== 'pushes';
}

function isPush({ kind, version }: ReservedChange): boolean {
  return kind === 'revision' && version === 1;
}

/** The version of the head that a replace, patch or deletion was prepared on. */
function preparedOn({ kind, version }: ReservedChange): number {
  return kind === 'revision' ? version - 1 : version;
}

/** @param isMade undefined when the change is in doubt. */
function outcomeOf(change: ReservedChange, isMade: boolean | undefined): ReservationOutcome {
  return { released: releasedBytes(change, isMade ?? false), isFinal: isMade !== undefined };
}

/** Whether the head shows that the change was made, or cannot be made; undefined when it still can be. */
function isMadeByHead(change: ReservedChange, head: Traces | undefined): boolean | undefined {
  if (head === undefined) return isPush(change) ? undefined : false;
  const trace = change.kind === 'revision' ? head.write_id : head.deletion_id;
  if (trace === change.write_id) return true;
  const isStillPossible =
    head.state !== 'void' && head.state !== 'deleted' && head.version <= preparedOn(change);
  return isStillPossible ? undefined : false;
}
