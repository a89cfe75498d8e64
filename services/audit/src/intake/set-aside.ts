import type { AuditEntry } from '@action-platform/contracts/audit';
import { inBackground } from '@action-platform/contracts/calls';
import {
  attemptDue,
  byWorkspace,
  insertEach,
  openIndexed,
  openStored,
  type RepeatedWork,
  type Rounds,
  type StoredDocuments,
  type StoredLease,
  startRounds,
  within,
} from '@action-platform/mongo';
import type { Logger } from '@action-platform/service-host';
import type { Collection, Db } from 'mongodb';
import type { SourcedEntry } from '../blocks/link.ts';

/** The entries of a source that the chain of their Workspace does not take yet. */
interface StoredSetAside {
  /** Workspace and source: a repetition of the source is the same document. */
  readonly _id: string;
  readonly workspace_id: string;
  readonly source: string;
  /** As JSON. */
  readonly entries: string;
  readonly set_aside_at: Date;
  /** When the database deletes it (TTL index). */
  readonly expires_at: Date;
}

/** A Workspace with entries that are set aside. */
interface StoredStalled {
  /** The Workspace. */
  readonly _id: string;
  /** How often entries were set aside. */
  readonly times: number;
  readonly lease?: StoredLease;
}

export const storedSetAside: StoredDocuments<StoredSetAside> = {
  collection: 'set_aside',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'order', key: { workspace_id: 1, set_aside_at: 1, _id: 1 } },
    { name: 'age', key: { set_aside_at: 1 } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
};

export const storedStalled: StoredDocuments<StoredStalled> = {
  collection: 'stalled',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
};

/** How often a replica looks for entries that are due, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** The pause after a failed attempt, in milliseconds. */
const PAUSE = { firstMs: 5_000, longestMs: 3_600_000 };
/** How long an attempt may take until the lease is confirmed, in milliseconds. */
const LEASE_MS = 60_000;
/** How many sources are appended at once. */
const AT_ONCE = 32;

interface SetAsideOptions {
  readonly log: Logger;
  /** Appends entries of a Workspace; safe to repeat. */
  readonly append: (workspaceId: string, entries: readonly SourcedEntry[]) => Promise<void>;
  /** Whether entries of two sources may be appended together. */
  readonly isSameKind: (source: string, other: string) => boolean;
}

/**
 * The entries of Workspaces whose chains take none, in their order. While a Workspace has some, its later entries wait behind them. Each
 * Workspace has attempts and pauses of its own, so it delays no other.
 */
export class SetAside {
  readonly #entries: Collection<StoredSetAside>;
  readonly #stalled: Collection<StoredStalled>;
  readonly #waitMs: number;
  #oldest: Date | undefined;

  private constructor(
    entries: Collection<StoredSetAside>,
    stalled: Collection<StoredStalled>,
    waitMs: number,
  ) {
    this.#entries = entries;
    this.#stalled = stalled;
    this.#waitMs = waitMs;
  }

  /** @param waitMs how long entries may wait, in milliseconds. */
  static async open(db: Db, waitMs: number): Promise<SetAside> {
    return new SetAside(await openIndexed(db, storedSetAside), openStored(db, storedStalled), waitMs);
  }

  /** Since when the oldest entries wait, as this replica saw last. */
  get oldest(): Date | undefined {
    return this.#oldest;
  }

  /** The Workspaces among these with entries that are set aside. */
  async stalledAmong(workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = this.#stalled.find({ _id: { $in: workspaceIds as string[] } }, within(inBackground));
    return new Set((await found.project<{ _id: string }>({ _id: 1 }).toArray()).map(({ _id }) => _id));
  }

  /** Adds entries behind those that wait. */
  async add(workspaceId: string, entries: readonly SourcedEntry[]): Promise<void> {
    const now = Date.now();
    const documents = [...Map.groupBy(entries, ({ source }) => source)].map(([source, ofSource]) => ({
      _id: `${workspaceId} ${source}`,
      workspace_id: workspaceId,
      source,
      entries: JSON.stringify(ofSource.map(({ entry }) => entry)),
      set_aside_at: new Date(now),
      expires_at: new Date(now + this.#waitMs),
    }));
    await insertEach(this.#entries, documents, inBackground);
    // Afterwards: an attempt that found no entries then leaves the Workspace as it is.
    await this.#markStalled(workspaceId);
  }

  async #markStalled(_id: string): Promise<void> {
    const options = { upsert: true, ...within(inBackground) };
    await this.#stalled.updateOne({ _id }, { $inc: { times: 1 } }, options);
  }

  /** Appends what is due, in rounds. */
  start({ log, ...options }: SetAsideOptions): Rounds {
    const work: RepeatedWork<StoredStalled> = {
      name: 'appending the set-aside audit entries of a Workspace',
      documents: this.#stalled,
      due: {},
      durationMs: LEASE_MS,
      pause: PAUSE,
      idsOf: (workspace_id) => ({ workspace_id }),
      attempt: async (workspaceId, mayGoOn) => {
        while ((await this.#appendNext(workspaceId, options)) && (await mayGoOn()));
      },
    };
    const failure = 'set-aside audit entries cannot be read; trying again';
    return startRounds(
      async (signal) => {
        await attemptDue(work, log, signal);
        const oldest = await this.#entries.findOne(
          {},
          { sort: { set_aside_at: 1 }, ...within(inBackground) },
        );
        this.#oldest = oldest?.set_aside_at;
        // A process that ended between both writes of `add` has not marked the Workspace.
        if (oldest !== null) await this.#markStalled(oldest.workspace_id);
      },
      { pauseMs: LOOK_EVERY_MS, log, failure },
    );
  }

  /** Appends the oldest entries of a Workspace. @returns whether there may be more */
  async #appendNext(
    workspace_id: string,
    { append, isSameKind }: Omit<SetAsideOptions, 'log'>,
  ): Promise<boolean> {
    const stalled = await this.#stalled.findOne({ _id: workspace_id }, within(inBackground));
    const found = await this.#entries
      .find({ workspace_id }, within(inBackground))
      .sort({ set_aside_at: 1, _id: 1 })
      .limit(AT_ONCE)
      .toArray();
    const [first] = found;
    if (first === undefined) {
      if (stalled === null) return false;
      const { times } = stalled;
      await this.#stalled.deleteOne({ _id: workspace_id, times }, within(inBackground));
      return false;
    }
    const end = found.findIndex(({ source }) => !isSameKind(first.source, source));
    const some = found.slice(0, end === -1 ? found.length : end);
    const entries = some.flatMap(({ source, entries: ofSource }) =>
      (JSON.parse(ofSource) as AuditEntry[]).map((entry) => ({ entry, source })),
    );
    await append(workspace_id, entries);
    const appended = { workspace_id, _id: { $in: some.map(({ _id }) => _id) } };
    await this.#entries.deleteMany(appended, within(inBackground));
    return true;
  }
}
