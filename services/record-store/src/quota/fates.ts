import type { ClientSession } from 'mongodb';
import type { Documents } from '../database/documents.ts';
import type { Head } from '../records/head.ts';
import type { BookedChange } from './usage-document.ts';

/** Whether a booked change was made, can no longer be made, or neither yet. */
export type Fate = 'made' | 'lost' | 'open';

/** Makes reads see one point in time. */
export type Snapshot = { session: ClientSession; readConcern: { level: 'snapshot' } };

/** What the head of a Record tells of the writes it has seen. */
type Traces = Pick<Head, 'version' | 'write_id'> & { deletion_id?: string };

/**
 * The fates of booked changes, by their write ids, read off their Records. A write leaves its id on the head, whence
 * a revision's goes into the history before the next takes its place; and it can only be made on the version it was
 * prepared for. The history of a deleted Record is removed after all its changes are settled.
 */
export async function fatesOf(
  documents: Documents,
  workspaceId: string,
  changes: readonly BookedChange[],
  snapshot?: Snapshot,
): Promise<Map<string, Fate>> {
  // The heads come first: what has left its head by then is found in the history, and not the other way round.
  const heads = await headsOf(documents, workspaceId, changes, snapshot);
  const isPast = ({ kind, record_id, version }: BookedChange) =>
    kind === 'revision' && version < (heads.get(record_id)?.version ?? 0);
  const inHistory = await writesInHistory(documents, workspaceId, changes.filter(isPast), snapshot);
  return new Map(
    changes.map((change) => {
      const isMade = inHistory.has(change.write_id);
      return [change.write_id, isMade ? 'made' : fateByHead(change, heads.get(change.record_id))];
    }),
  );
}

function fateByHead({ kind, write_id, version }: BookedChange, head: Traces | undefined): Fate {
  if (head === undefined) return 'open';
  const trace = kind === 'revision' ? head.write_id : head.deletion_id;
  if (trace === write_id) return 'made';
  const nextVersion = kind === 'revision' ? head.version + 1 : head.version;
  return head.deletion_id === undefined && version >= nextVersion ? 'open' : 'lost';
}

async function headsOf(
  { records }: Documents,
  workspaceId: string,
  changes: readonly BookedChange[],
  snapshot: Snapshot | undefined,
): Promise<Map<string, Traces>> {
  if (changes.length === 0) return new Map();
  const ids = [...new Set(changes.map(({ record_id }) => record_id))];
  const heads = await records
    .find({ workspace_id: workspaceId, _id: { $in: ids } }, snapshot)
    .project<Traces & { _id: string }>({ version: 1, write_id: 1, deletion_id: 1 })
    .toArray();
  return new Map(heads.map((head) => [head._id, head]));
}

async function writesInHistory(
  { revisions }: Documents,
  workspaceId: string,
  changes: readonly BookedChange[],
  snapshot: Snapshot | undefined,
): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const filter = {
    workspace_id: workspaceId,
    record_id: { $in: [...new Set(changes.map(({ record_id }) => record_id))] },
    version: { $in: [...new Set(changes.map(({ version }) => version))] },
  };
  const found = await revisions
    .find(filter, snapshot)
    .project<{ write_id: string }>({ write_id: 1 })
    .toArray();
  return new Set(found.map(({ write_id }) => write_id));
}
