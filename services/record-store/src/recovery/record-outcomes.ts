import { inBackground, type Timed } from '@action-platform/contracts';
import { insertEach, within } from '@action-platform/mongo';
import type { Collection, FindOptions } from 'mongodb';
import type { ChangeOutcome, ChangeOutcomes, ReservedChange } from '../quota/stored-usage.ts';
import type { Snapshot } from '../storage/snapshot.ts';
import type { StoredHead, VoidedPush } from '../storage/stored-head.ts';
import type { StoredRevision } from '../storage/stored-revision.ts';

/** The traces of writes on the head of a Record. */
type Traces = Pick<StoredHead, 'state'> & { version: number; write_id: string; deletion_id?: string };

/** The time for which the id of an aborted push stays taken, in milliseconds: far longer than any network delays a message. */
const VOID_FOR_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Finds the outcomes of reserved changes in heads and histories, and decides changes in doubt: it either finds the write
 * or makes it impossible. The header of `writes/push.ts` has the protocol.
 */
export class RecordOutcomes implements ChangeOutcomes {
  readonly #heads: Collection<StoredHead>;
  readonly #revisions: Collection<StoredRevision>;

  constructor(heads: Collection<StoredHead>, revisions: Collection<StoredRevision>) {
    this.#heads = heads;
    this.#revisions = revisions;
  }

  /**
   * A write stores its id in the head, and the id of a revision is copied into the history before the next revision
   * replaces it. A write can only be made on the version it was prepared for. A deletion removes the history after all
   * changes of the Record are settled.
   */
  async find(
    workspaceId: string,
    changes: readonly ReservedChange[],
    timed: Timed,
    snapshot?: Snapshot,
  ): Promise<Map<string, ChangeOutcome>> {
    // The heads are read first: a revision that is replaced between the two reads is then found in the history.
    const options = { ...snapshot, ...within(timed) };
    const heads = await this.#findTraces(workspaceId, changes, options);
    const past = changes.filter(
      ({ kind, record_id, version }) => kind === 'revision' && version < (heads.get(record_id)?.version ?? 0),
    );
    const inHistory = await this.#findInHistory(workspaceId, past, options);
    return new Map(
      changes.map((change) => {
        const isMade = inHistory.has(change.write_id);
        return [change.write_id, isMade ? 'committed' : outcomeByHead(change, heads.get(change.record_id))];
      }),
    );
  }

  async decide(workspaceId: string, changes: readonly ReservedChange[]): Promise<Map<string, ChangeOutcome>> {
    const [pushes, others] = [changes.filter(isPush), changes.filter((change) => !isPush(change))];
    await Promise.all([this.#void(workspaceId, pushes), this.#fence(workspaceId, others)]);
    const found = await this.find(workspaceId, changes, inBackground);
    // A change that was prepared on a head that is fenced now cannot be made.
    for (const { write_id } of others) if (found.get(write_id) === 'in doubt') found.set(write_id, 'aborted');
    return found;
  }

  /** Inserts voids under the ids of Records that have not been pushed. */
  async #void(workspaceId: string, pushes: readonly ReservedChange[]): Promise<void> {
    if (pushes.length === 0) return;
    const expires_at = new Date(Date.now() + VOID_FOR_MS);
    await insertEach<StoredHead>(
      this.#heads,
      pushes.map(
        ({ record_id }): VoidedPush => ({
          _id: record_id,
          workspace_id: workspaceId,
          state: 'void',
          expires_at,
        }),
      ),
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

function isPush({ kind, version }: ReservedChange): boolean {
  return kind === 'revision' && version === 1;
}

/** The version of the head that a replace, patch or deletion was prepared on. */
function preparedOn({ kind, version }: ReservedChange): number {
  return kind === 'revision' ? version - 1 : version;
}

function outcomeByHead(change: ReservedChange, head: Traces | undefined): ChangeOutcome {
  if (head === undefined) return isPush(change) ? 'in doubt' : 'aborted';
  const trace = change.kind === 'revision' ? head.write_id : head.deletion_id;
  if (trace === change.write_id) return 'committed';
  const isStillPossible =
    head.state !== 'void' && head.state !== 'deleted' && head.version <= preparedOn(change);
  return isStillPossible ? 'in doubt' : 'aborted';
}
