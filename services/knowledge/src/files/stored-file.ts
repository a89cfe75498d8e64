import { hash } from 'node:crypto';
import { idPrefixes } from '@action-platform/contracts';
import type { Collection, Db } from 'mongodb';

/** Whose files: those of a Workspace, or with `owner` the personal ones of that user in it. */
export interface FileGroup {
  readonly workspaceId: string;
  /** A user id; null for the company's files. */
  readonly owner: string | null;
}

/** Where it is known from that a file exists. A file is there as long as one source has it. */
export type FileSource = 'added' | 'directory';

/** A file as it is stored. */
export interface StoredFile {
  /** The file's key, `fil_…` */
  readonly _id: string;
  readonly workspace_id: string;
  readonly owner: string | null;
  /** Names joined by slashes, relative to the group. */
  readonly path: string;
  /** Never empty, no source twice. */
  readonly sources: readonly FileSource[];
}

/** How many hexadecimal digits of the digest make a key: as many as a UUID has. */
const KEY_DIGITS = 32;

/**
 * The key of a file. It follows from whose the file is and its path (SHA-256 of both). So it stays the same
 * whatever happens to other files, when the file goes and comes back, when everything is indexed anew, and on
 * every replica. A file under another path is another file.
 */
export function fileKey({ workspaceId, owner }: FileGroup, path: string): string {
  const digest = hash('sha256', JSON.stringify([workspaceId, owner, path]), 'hex');
  return `${idPrefixes.file}_${digest.slice(0, KEY_DIGITS)}`;
}

/** The files, with the index that keeps a path unique in its group and every listing in order. */
export async function openFiles(db: Db): Promise<Collection<StoredFile>> {
  const files = db.collection<StoredFile>('files');
  await files.createIndex({ workspace_id: 1, owner: 1, path: 1 }, { name: 'path', unique: true });
  return files;
}
