import type { AuditEntry } from '@action-platform/contracts/audit';
import { blockId, type Chains, type StoredBlock, type StoredEnd, sealed } from './stored-block.ts';
import { termsOf } from './terms.ts';

/** The end of a chain that another block can be linked to. */
export type ChainEnd = Pick<StoredEnd, 'number' | 'hash' | 'expires_at'>;

/** The end of a chain without a block. */
export const noBlock: ChainEnd = { number: -1, hash: '', expires_at: null };

/** An entry with its source. */
export interface SourcedEntry {
  readonly entry: AuditEntry;
  /** Names the part of a message that brought it, see {@link timeSlot}. The entries of a source are in one block. */
  readonly source: string;
}

/** The entries from which on a block takes no further source. */
const MOST_ENTRIES = 1_000;
/** The most time between the entries of a block, in milliseconds: a search holds the blocks of that time. */
export const MOST_SPAN_MS = 10_000;

/** The slot of time of an entry. A block has entries of one slot, so a message has a source for each. */
export function timeSlot({ at }: AuditEntry): number {
  return Math.floor(Date.parse(at) / MOST_SPAN_MS);
}

/** Divides entries into those of one block each, in the order of their times. */
export function inBlocks(entries: readonly SourcedEntry[]): SourcedEntry[][] {
  const slots = Map.groupBy(entries, ({ entry }) => timeSlot(entry));
  return [...slots]
    .sort(([a], [b]) => a - b)
    .flatMap(([, ofSlot]) => divided(ofSlot))
    .map((block) => block.sort(({ entry: a }, { entry: b }) => Date.parse(a.at) - Date.parse(b.at)));
}

/** Divides the entries of a slot by source. */
function divided(entries: readonly SourcedEntry[]): SourcedEntry[][] {
  const blocks: SourcedEntry[][] = [];
  for (const ofSource of Map.groupBy(entries, ({ source }) => source).values()) {
    const block = blocks.at(-1);
    if (block === undefined || block.length >= MOST_ENTRIES) blocks.push(ofSource);
    else block.push(...ofSource);
  }
  return blocks;
}

/** The next block of a chain. @param entries of one block, in order. */
export function link(
  workspaceId: string,
  end: ChainEnd,
  entries: readonly SourcedEntry[],
  { seals, retentionMs }: Pick<Chains, 'seals' | 'retentionMs'>,
): StoredBlock {
  const plain = entries.map(({ entry }) => entry);
  const to = Date.parse(plain.at(-1)!.at);
  const block = {
    _id: blockId(workspaceId, end.number + 1),
    workspace_id: workspaceId,
    previous: end.hash,
    previous_expires_at: end.expires_at,
    from: new Date(plain[0]!.at),
    to: new Date(to),
    entries: plain.map((entry) => JSON.stringify(entry)).join('\n'),
    terms: termsOf(plain),
    sources: [...new Set(entries.map(({ source }) => source))],
    expires_at: new Date(Math.max(to + retentionMs, end.expires_at?.getTime() ?? 0)),
  };
  return sealed(block, seals);
}
