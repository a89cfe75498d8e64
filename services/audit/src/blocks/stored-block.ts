import { hash } from 'node:crypto';
import type { AuditEntry } from '@action-platform/contracts/audit';
import { byWorkspace, openIndexed, openStored, type StoredDocuments } from '@action-platform/mongo';
import type { Collection, Db } from 'mongodb';
import type { BrokenSeal, Seals } from './seals.ts';
import { type StoredBeginning, storedBeginnings } from './stored-beginning.ts';

/**
 * Entries of a Workspace that were stored together, as a link of its chain: a block has the hash of the one before, so no block can be
 * changed, removed or moved alone.
 */
export interface StoredBlock {
  /** The Workspace and the block's number, see {@link blockId}. */
  readonly _id: string;
  readonly workspace_id: string;
  /** The hash of the block before; empty in the first. */
  readonly previous: string;
  /** When the block before expires; null in the first. Later it may be absent. */
  readonly previous_expires_at: Date | null;
  /** The times of its oldest and its newest entry. */
  readonly from: Date;
  readonly to: Date;
  /** The block's entries as JSON, one a line, in the order of their times. */
  readonly entries: string;
  /** The terms that find its entries, see `terms.ts`. */
  readonly terms: readonly string[];
  /** The messages that brought the entries; a message is stored once in a Workspace. */
  readonly sources: readonly string[];
  /** When the database deletes it (TTL index), no earlier than the block before. */
  readonly expires_at: Date;
  /** SHA-256 of all of it. */
  readonly hash: string;
  /** Of its hash, see {@link Seals}. */
  readonly seal: string;
}

/** The end of a Workspace's chain, stored before the first block; the end stays when the last block has expired. */
export interface StoredEnd {
  /** The Workspace. */
  readonly _id: string;
  /** The number of the last block; -1 before the first. */
  readonly number: number;
  readonly hash: string;
  readonly expires_at: Date | null;
  /** Of all of it. */
  readonly seal: string;
}

/** The blocks, with the indexes that find them by time and by every filter, and the ends of the chains. */
export interface Chains {
  readonly blocks: Collection<StoredBlock>;
  readonly ends: Collection<StoredEnd>;
  readonly beginnings: Collection<StoredBeginning>;
  readonly seals: Seals;
  /** How long entries are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** The erasure of a Workspace deletes its blocks. Blocks with entries of an erased Member stay: without them the chain would end. */
export const storedBlocks: StoredDocuments<StoredBlock> = {
  collection: 'blocks',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'time', key: { workspace_id: 1, to: -1, _id: -1 } },
    { name: 'terms', key: { workspace_id: 1, terms: 1, to: -1, _id: -1 } },
    { name: 'sources', key: { workspace_id: 1, sources: 1 }, unique: true },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 0 },
  ],
  ofWorkspace: byWorkspace,
  exported: {
    type: 'audit_block',
    order: { to: -1, _id: -1 },
    data: (block) => ({
      number: numberOf(block),
      hash: block.hash,
      entries: readBlock(block)?.entries ?? null,
    }),
  },
};

export const storedEnds: StoredDocuments<StoredEnd> = {
  collection: 'ends',
  shardKey: '_id',
  ofWorkspace: (_id) => ({ _id }),
};

/** Opens the collections. */
export async function openChains(db: Db, seals: Seals, retentionDays: number): Promise<Chains> {
  return {
    blocks: await openIndexed(db, storedBlocks),
    ends: openStored(db, storedEnds),
    beginnings: openStored(db, storedBeginnings),
    seals,
    retentionMs: retentionDays * 86_400_000,
  };
}

const DIGITS = 12;

/** The id of a block: ids of a Workspace sort by number. */
export function blockId(workspaceId: string, number: number): string {
  return `${workspaceId}/${String(number).padStart(DIGITS, '0')}`;
}

/** The number of a block, from 0. */
export function numberOf({ _id }: Pick<StoredBlock, '_id'>): number {
  return Number(_id.slice(-DIGITS));
}

/** The filter for all blocks of a Workspace, by the index of ids. */
export function blocksOf(workspaceId: string) {
  return { _id: { $gte: blockId(workspaceId, 0), $lte: `${workspaceId}/${'9'.repeat(DIGITS)}` } };
}

/** A block as a search reads it. */
export interface ReadBlock {
  readonly number: number;
  /** The time of its newest entry, in milliseconds. */
  readonly to: number;
  readonly entries: readonly AuditEntry[];
}

/** Reads a block; undefined when it was altered so that it cannot be read, or is none of its Workspace's. */
export function readBlock(
  block: Pick<StoredBlock, '_id' | 'workspace_id' | 'to' | 'entries'>,
): ReadBlock | undefined {
  try {
    const number = numberOf(block);
    const entries = block.entries.split('\n').map((line) => JSON.parse(line) as AuditEntry);
    const isRight =
      block._id === blockId(block.workspace_id, number) &&
      entries.every(({ at, targets }) => typeof at === 'string' && Array.isArray(targets));
    return isRight ? { number, to: block.to.getTime(), entries } : undefined;
  } catch {
    return undefined;
  }
}

/** Seals a block with its hash. */
export function sealed(block: Omit<StoredBlock, 'hash' | 'seal'>, seals: Seals): StoredBlock {
  const hash = hashOf(block);
  return { ...block, hash, seal: seals.of(`block ${hash}`) };
}

/** Why a block is not as it was sealed; undefined when it is. */
export function problemOf(block: StoredBlock, seals: Seals): BrokenSeal | undefined {
  try {
    const { entries, previous, terms, sources } = block;
    // The hash is of text, which a list of one text, or a date, has too.
    const texts = [entries, previous ?? '', ...terms, ...sources];
    if (texts.some((text) => typeof text !== 'string')) return 'changed';
    return hashOf(block) === block.hash ? seals.problemOf(`block ${block.hash}`, block.seal) : 'changed';
  } catch {
    // A field is of another type.
    return 'changed';
  }
}

/** Why the end of a chain is not as it was sealed; undefined when it is. */
export function endProblemOf(end: StoredEnd, seals: Seals): BrokenSeal | undefined {
  // The seal is of JSON, in which a date and its text are the same.
  const isTime = end.expires_at === null || end.expires_at instanceof Date;
  return isTime ? seals.problemOf(textOf(end), end.seal) : 'changed';
}

/** The text whose seal an end has. */
export function textOf({ _id, number, hash, expires_at }: Omit<StoredEnd, 'seal'>): string {
  return `end ${JSON.stringify([_id, number, hash, expires_at])}`;
}

/** The hash of a block, from everything in it but its seal. */
export function hashOf(block: Omit<StoredBlock, 'hash' | 'seal'>): string {
  const { _id, workspace_id, previous, previous_expires_at, from, to, entries, terms, sources, expires_at } =
    block;
  const times = [previous_expires_at, from, to, expires_at].map((time) => time?.getTime() ?? null);
  return hash(
    'sha256',
    `${JSON.stringify([_id, workspace_id, previous, times, terms, sources])}\n${entries}`,
    'hex',
  );
}
