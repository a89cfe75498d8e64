import { hash } from 'node:crypto';
import { idPrefixes } from '@action-platform/contracts/ids';
import { byWorkspace, type StoredDocuments } from '@action-platform/mongo';

/** The company files of a Workspace, or with `owner` the personal files of that user in it. */
export interface FileGroup {
  readonly workspaceId: string;
  /** A user id; null for the company's files. */
  readonly owner: string | null;
}

/** The source of a file: an operator, a directory, or a bucket (S3). A file stays while it has a source. */
export type SourceKind = 'added' | 'directory' | 's3';

/** The stored form of a file. */
export interface StoredFile {
  /** The file's key, `fil_…` */
  readonly _id: string;
  readonly workspace_id: string;
  readonly owner: string | null;
  /** Names joined by slashes, relative to the group. */
  readonly path: string;
  /** Never empty, no source twice. */
  readonly sources: readonly SourceKind[];
}

/** The number of hexadecimal digits in a key: as many as in a UUID. */
const KEY_DIGITS = 32;

/**
 * The key of a file: a SHA-256 of its group and path. So the key is the same on every replica, after a new indexing, and when the file is
 * removed and added again. A file at another path is another file.
 */
export function fileKey({ workspaceId, owner }: FileGroup, path: string): string {
  const digest = hash('sha256', JSON.stringify([workspaceId, owner, path]), 'hex');
  return `${idPrefixes.file}_${digest.slice(0, KEY_DIGITS)}`;
}

/** The key of the index that has the files of a source, those of each group in order. */
export const bySource = { sources: 1, workspace_id: 1, owner: 1, path: 1 } as const;

/** The files, with the index that keeps a path unique in its group and every listing in order, and that of the sources. */
export const storedFiles: StoredDocuments<StoredFile> = {
  collection: 'files',
  shardKey: 'workspace_id',
  indexes: [
    { name: 'path', key: { workspace_id: 1, owner: 1, path: 1 }, unique: true },
    { name: 'source', key: bySource },
  ],
  ofWorkspace: byWorkspace,
  ofMember: (workspace_id, owner) => ({ workspace_id, owner }),
  exported: {
    type: 'file',
    order: { owner: 1, path: 1 },
    data: ({ _id, owner, path }) => ({ key: _id, user_id: owner, path }),
  },
};
