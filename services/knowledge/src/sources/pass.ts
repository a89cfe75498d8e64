import { isDatabaseAway } from '@action-platform/mongo';
import { compareByBytes } from '../files/byte-order.ts';
import type { Files } from '../files/files.ts';
import { groupFolder, inGroupAt, type PathInGroup } from '../files/layout.ts';
import type { FileGroup, SourceKind, StoredFile } from '../files/stored-file.ts';
import { type FileSource, SourceUnlisted, SourceUnread } from './file-source.ts';
import { GroupComparison } from './group-comparison.ts';

/** The most paths of a batch. */
const BATCH = 1000;

/** The outcome of a pass that listed the source whole. */
interface PassOutcome {
  /** Whether the source holds nothing that was listed, so that the listing did not change. */
  readonly isEmptied: boolean;
  /** The number of keys that name no visible file. */
  readonly leftOut: number;
  /** Whether the listing is that of the source now; otherwise a further pass is due. */
  readonly isComplete: boolean;
  /** The groups whose listing could not be changed, and stays in part as it was. */
  readonly failed: readonly FailedGroup[];
}

interface FailedGroup {
  readonly group: FileGroup;
  readonly error: unknown;
}

export interface PassOptions {
  readonly kind: SourceKind;
  /** Whether the pass before did not find the files, or failed. */
  readonly isSuspect: boolean;
  /** Runs before each change of the listing; the pass ends when it rejects. */
  readonly confirm: () => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Updates the listing from a source, group after group. The files of a group are removed only after a key behind the group, or the end
 * of the keys: a pass that fails in the middle removes nothing of the group where it failed, nor of any after it. A group whose listing
 * cannot be changed delays no other, unless the database is away.
 */
export async function passOver(
  source: Pick<FileSource, 'keys' | 'stat'>,
  files: Files,
  options: PassOptions,
): Promise<PassOutcome> {
  const { kind, signal } = options;
  const known = await files.any(kind);
  if (known && !(await holdsListed(known, source, files, options)))
    return { isEmptied: true, leftOut: 0, isComplete: true, failed: [] };
  /** The folders of the groups with files in the source. */
  const found = new Set<string>();
  const failed: FailedGroup[] = [];
  let isEnded = false;
  const confirm = () =>
    options.confirm().catch((error: unknown) => {
      isEnded = true;
      throw error;
    });
  let leftOut = 0;
  let isComplete = true;
  /** The comparison of the present group; undefined when the group has failed. */
  let comparison: GroupComparison | undefined;
  const change = async (group: FileGroup, step: () => Promise<void>) => {
    try {
      await step();
    } catch (error) {
      if (isEnded || isDatabaseAway(error)) throw error;
      failed.push({ group, error });
      comparison = undefined;
    }
  };
  const begin = (group: FileGroup) =>
    change(group, async () => {
      comparison = await GroupComparison.begin(files, group, { kind, confirm });
    });
  const finish = async () => {
    const ended = comparison;
    comparison = undefined;
    if (ended === undefined) return;
    await change(ended.group, async () => {
      if (!(await ended.finish())) isComplete = false;
    });
  };
  const batches = batchesOf(source.keys(signal), () => leftOut++);
  for await (const { group, paths } of batches) {
    const folder = groupFolder(group);
    if (!found.has(folder)) {
      await finish();
      await begin(group);
      found.add(folder);
    }
    await change(group, async () => await comparison?.take(paths));
  }
  await finish();
  // The source held a known file just before, so it was emptied meanwhile.
  if (known && found.size === 0) return { isEmptied: true, leftOut, isComplete, failed };
  for await (const group of files.groups()) {
    if (found.has(groupFolder(group))) continue;
    await begin(group);
    await finish();
  }
  return { isEmptied: false, leftOut, isComplete, failed };
}

/**
 * Whether the source holds what its listing comes from. An unmounted volume leaves an empty folder, and a wrong prefix an empty bucket,
 * as if a user had removed all files. Any file of a listed Workspace shows the contrary, until a pass found none: from then on only
 * a listed file does, because a process may write to a mount point.
 *
 * @param known a listed file: while the source holds it, nothing else is read.
 */
async function holdsListed(
  known: StoredFile,
  source: Pick<FileSource, 'keys' | 'stat'>,
  files: Files,
  { kind, isSuspect, signal }: PassOptions,
): Promise<boolean> {
  const { workspace_id: workspaceId, owner, path } = known;
  const state = await source
    .stat(`${groupFolder({ workspaceId, owner })}/${path}`, signal)
    .catch(unlessUnread);
  if (state !== undefined) return true;
  for await (const { group, paths } of batchesOf(source.keys(signal)))
    if ((await files.any(kind, group, isSuspect ? paths : undefined)) !== null) return true;
  return false;
}

/**
 * Returns undefined for a file that cannot be read: the source may still list its key.
 *
 * @throws SourceUnlisted for a source that does not answer: its listing would wait as long.
 */
function unlessUnread(error: unknown): undefined {
  if (!(error instanceof SourceUnread)) throw error;
  if (error.code === 'TimeoutError') throw new SourceUnlisted(error.code);
}

interface Batch {
  readonly group: FileGroup;
  readonly paths: string[];
}

/** The visible files of a source in batches of one group. @throws SourceUnlisted for keys that are not in order */
async function* batchesOf(
  keys: AsyncIterable<string>,
  leaveOut: () => void = () => {},
): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  let last = '';
  for await (const key of keys) {
    const order = key === '' ? 1 : compareByBytes(key, last);
    // The directory buckets of S3 have no order, which the comparison with the listing depends on.
    if (order < 0) throw new SourceUnlisted('KeysOutOfOrder');
    // Some servers repeat the last key of a page in the next one.
    if (order === 0) continue;
    if (key !== '') last = key;
    const file = inGroupAt(key);
    if (file === undefined || file.path === '') {
      leaveOut();
      continue;
    }
    if (batch !== undefined && !isOfGroup(file, batch)) {
      yield batch;
      batch = undefined;
    }
    batch ??= { group: file.group, paths: [] };
    if (batch.paths.push(file.path) < BATCH) continue;
    yield batch;
    batch = undefined;
  }
  if (batch !== undefined) yield batch;
}

function isOfGroup({ group }: PathInGroup, batch: Batch): boolean {
  return group.workspaceId === batch.group.workspaceId && group.owner === batch.group.owner;
}
