import { inBackground } from '@action-platform/contracts/calls';
import { insertEach, within } from '@action-platform/mongo';
import { type ChainEnd, inBlocks, link, noBlock, type SourcedEntry } from './link.ts';
import {
  blockId,
  blocksOf,
  type Chains,
  endProblemOf,
  numberOf,
  type StoredBlock,
  type StoredEnd,
  textOf,
} from './stored-block.ts';

/** How many ends of chains a process remembers, those of the last blocks: 300 bytes each. */
const MOST_ENDS = 50_000;

/** How often in a row other blocks may take the number of the next one: other processes rarely append at the same time. */
const MOST_CONFLICTS = 20;

/** Entries of a Workspace that are not stored yet. */
interface WaitingEntries {
  readonly workspaceId: string;
  conflicts: number;
  entries: readonly SourcedEntry[];
}

/**
 * Appends entries to the chains of their Workspaces, those of each message once. Several processes may append at the same time: a
 * number of a block is taken once, and the other process takes the next.
 */
export class Appender {
  readonly #chains: Chains;
  readonly #ends = new Map<string, ChainEnd>();

  constructor(chains: Chains) {
    this.#chains = chains;
  }

  /** Stores entries, by Workspace. A repetition stores nothing again; after a failure the call is to be repeated. */
  async append(byWorkspace: ReadonlyMap<string, readonly SourcedEntry[]>): Promise<void> {
    let waiting: WaitingEntries[] = [...byWorkspace].map(([workspaceId, entries]) => ({
      workspaceId,
      conflicts: 0,
      entries,
    }));
    while (waiting.length > 0) {
      const ends = await this.#endsOf(waiting.map(({ workspaceId }) => workspaceId));
      const next = waiting.map((each) => this.#next(each, ends.get(each.workspaceId)!));
      const inserted = await insertEach(
        this.#chains.blocks,
        next.map(({ block }) => block),
        inBackground,
      ).catch((error: unknown) => {
        // The outcome is unknown, and so are these ends.
        for (const { workspaceId } of waiting) this.#ends.delete(workspaceId);
        throw error;
      });
      await this.#settle(waiting, next, inserted);
      waiting = waiting.filter(({ entries }) => entries.length > 0);
    }
  }

  /** The next block of a Workspace, and the entries after it. */
  #next(
    { workspaceId, entries }: WaitingEntries,
    end: ChainEnd,
  ): { block: StoredBlock; rest: SourcedEntry[] } {
    const [first, ...others] = inBlocks(entries);
    const block = link(workspaceId, end, first!, this.#chains);
    return { block, rest: others.flat() };
  }

  /** Notes the new ends; a block that was not inserted loses the messages that are stored already. */
  async #settle(
    waiting: readonly WaitingEntries[],
    next: readonly { block: StoredBlock; rest: SourcedEntry[] }[],
    inserted: readonly boolean[],
  ): Promise<void> {
    await this.#noteEnds(next.filter((_each, index) => inserted[index]).map(({ block }) => block));
    await Promise.all(
      next.map(async ({ block, rest }, index) => {
        const each = waiting[index]!;
        if (inserted[index]) {
          each.entries = rest;
          each.conflicts = 0;
          return;
        }
        this.#ends.delete(each.workspaceId);
        const stored = await this.storedAmong(each.workspaceId, block.sources);
        each.entries = each.entries.filter(({ source }) => !stored.has(source));
        if (++each.conflicts > MOST_CONFLICTS)
          throw new Error('another block has the next number of a chain, whichever it is');
      }),
    );
  }

  /** The messages among these whose entries a Workspace has. */
  async storedAmong(workspaceId: string, sources: readonly string[]): Promise<ReadonlySet<string>> {
    const wanted = new Set(sources);
    const found = await this.#chains.blocks
      .find({ workspace_id: workspaceId, sources: { $in: sources } }, within(inBackground))
      .project<Pick<StoredBlock, 'sources'>>({ _id: 0, sources: 1 })
      .toArray();
    return new Set(found.flatMap((block) => block.sources).filter((source) => wanted.has(source)));
  }

  /** Where the next block of each Workspace is linked. Ends that are not remembered are read at once, where no block is after them. */
  async #endsOf(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, ChainEnd>> {
    const unknown = workspaceIds.filter((id) => !this.#ends.has(id));
    const stored = unknown.length === 0 ? [] : await this.#storedEnds(unknown);
    const read = new Map<string, ChainEnd>(stored.map(({ _id, ...end }) => [_id, end]));
    const found = workspaceIds.map(async (id) => {
      return [id, this.#ends.get(id) ?? read.get(id) ?? (await this.#readEnd(id))] as const;
    });
    return new Map(await Promise.all(found));
  }

  /** The stored ends that are whole and have no block after them. */
  async #storedEnds(workspaceIds: readonly string[]): Promise<StoredEnd[]> {
    const { blocks, ends, seals } = this.#chains;
    const found = await ends.find({ _id: { $in: [...workspaceIds] } }, within(inBackground)).toArray();
    const whole = found.filter((end) => endProblemOf(end, seals) === undefined);
    const next = whole.map(({ _id, number }) => blockId(_id, number + 1));
    const later = blocks.find({ _id: { $in: next } }, within(inBackground)).project({ workspace_id: 1 });
    const behind = new Set((await later.toArray()).map(({ workspace_id }) => workspace_id));
    return whole.filter(({ _id }) => !behind.has(_id));
  }

  /** Reads where the next block is linked. After a manipulation of the end it leaves out a number: a verification shall find it later, too. */
  async #readEnd(workspaceId: string): Promise<ChainEnd> {
    const { blocks, ends, seals } = this.#chains;
    const [last] = await blocks
      .find(blocksOf(workspaceId), within(inBackground))
      .sort({ _id: -1 })
      .limit(1)
      .project<Pick<StoredBlock, '_id' | 'hash' | 'expires_at'>>({ hash: 1, expires_at: 1 })
      .toArray();
    const end = await ends.findOne({ _id: workspaceId }, within(inBackground));
    const isWhole = end !== null && endProblemOf(end, seals) === undefined;
    if (last === undefined && !isWhole) return await this.#begin(workspaceId);
    if (last === undefined || (isWhole && end.number >= numberOf(last))) return end!;
    return { ...last, number: numberOf(last) + (isWhole ? 0 : 1) };
  }

  /** Stores the end of a chain before its first block, so that no chain is without one. */
  async #begin(workspaceId: string): Promise<ChainEnd> {
    const { _id, ...end } = this.#sealed({ _id: workspaceId, ...noBlock });
    await this.#chains.ends.updateOne({ _id }, { $set: end }, { upsert: true, ...within(inBackground) });
    return noBlock;
  }

  #sealed(end: Omit<StoredEnd, 'seal'>): StoredEnd {
    return { ...end, seal: this.#chains.seals.of(textOf(end)) };
  }

  async #noteEnds(blocks: readonly StoredBlock[]): Promise<void> {
    if (blocks.length === 0) return;
    // An update keeps fields of later versions, and makes no end: a missing end was removed.
    const updates = blocks.map((block) => {
      const number = numberOf(block);
      const { workspace_id, hash, expires_at } = block;
      const { _id, ...end } = this.#sealed({ _id: workspace_id, number, hash, expires_at });
      // The last ones are last in the order of the map.
      this.#ends.delete(_id);
      this.#ends.set(_id, end);
      return { updateOne: { filter: { _id, number: { $lt: number } }, update: { $set: end } } };
    });
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= MOST_ENDS) break;
      this.#ends.delete(oldest);
    }
    await this.#chains.ends.bulkWrite(updates, { ordered: false, ...within(inBackground) });
  }
}
