import { inBackground, type Timed } from '@action-platform/contracts/calls';
import { insertEach, upsertAgain, within } from '@action-platform/mongo';
import type { Collection, Filter } from 'mongodb';
import { bySource, type FileGroup, fileKey, type SourceKind, type StoredFile } from './stored-file.ts';

/** The number of files in one query. */
const READ_BATCH = 500;
/** `removeAll` begins no further batch later than this before the deadline, in milliseconds. */
const LAST_BATCH_MS = 2_000;

/** A file as callers see it. */
export interface VisibleFile {
  readonly key: string;
  readonly path: string;
}

/** The files of all Workspaces, of every source. Every change is safe to repeat. */
export class Files {
  readonly #files: Collection<StoredFile>;

  constructor(files: Collection<StoredFile>) {
    this.#files = files;
  }

  /**
   * Streams the files of a group in the order of the index: by the UTF-8 bytes of the path, that is by code points. Each batch is a
   * query with its own time limit. No cursor stays open in between, so a consumer may stop anywhere.
   *
   * @param source lists the files of this source alone.
   */
  async *list(group: FileGroup, timed: Timed, source?: SourceKind): AsyncGenerator<VisibleFile[]> {
    // No path is empty.
    for (let after = ''; ; ) {
      const read = await this.first(READ_BATCH, group, after, timed, source);
      yield read;
      if (read.length < READ_BATCH) return;
      after = read.at(-1)!.path;
    }
  }

  /**
   * The first files of a group after a path, by path. The database answers with one document of two lists, which costs the
   * driver a fifth of the time and memory of a document per file.
   */
  async first(
    limit: number,
    group: FileGroup,
    after: string,
    timed: Timed,
    source?: SourceKind,
  ): Promise<VisibleFile[]> {
    const ofSource = source === undefined ? {} : { sources: source };
    const [read] = await this.#files
      .aggregate<{ keys: string[]; paths: string[] }>(
        [
          { $match: { ...inGroup(group), ...ofSource, path: { $gt: after } } },
          { $sort: { path: 1 } },
          { $limit: limit },
          { $group: { _id: null, keys: { $push: '$_id' }, paths: { $push: '$path' } } },
        ],
        { ...within(timed), ...(source !== undefined && { hint: bySource }) },
      )
      .toArray();
    return read === undefined ? [] : read.keys.map((key, index) => ({ key, path: read.paths[index]! }));
  }

  /** A file by its key, if it is in one of these groups of a Workspace; else null. */
  async find(key: string, groups: readonly FileGroup[], timed: Timed): Promise<StoredFile | null> {
    const [workspaceId] = groups.map((group) => group.workspaceId);
    if (workspaceId === undefined) return null;
    const owner = { $in: groups.map((group) => group.owner) };
    return await this.#files.findOne({ _id: key, workspace_id: workspaceId, owner }, within(timed));
  }

  /** Adds these files of a source. Most files are new, and one insert of many takes a quarter of the time of as many upserts. */
  async put(
    source: SourceKind,
    group: FileGroup,
    paths: readonly string[],
    timed: Timed = inBackground,
  ): Promise<void> {
    const { workspaceId: workspace_id, owner } = group;
    const documents = paths.map((path) => {
      return { _id: fileKey(group, path), workspace_id, owner, path, sources: [source] };
    });
    const inserted = await insertEach(this.#files, documents, timed);
    const existing = documents.filter((_, index) => !inserted[index]);
    if (existing.length === 0) return;
    const upserts = existing.map(({ _id, path }) => ({
      updateOne: {
        filter: { _id, workspace_id },
        // Upserts, as another replica may remove the file before.
        update: { $setOnInsert: { owner, path }, $addToSet: { sources: source } },
        upsert: true,
      },
    }));
    await upsertAgain(() => this.#files.bulkWrite(upserts, { ordered: false, ...within(timed) }));
  }

  /** Removes a source from these files, and files without another source. */
  async remove(
    source: SourceKind,
    group: FileGroup,
    paths: readonly string[],
    timed: Timed = inBackground,
  ): Promise<void> {
    const ofGroup = {
      workspace_id: group.workspaceId,
      _id: { $in: paths.map((path) => fileKey(group, path)) },
    };
    // Without a hint, MongoDB may read every file of the Workspace.
    const hint = '_id_';
    await this.#files.bulkWrite(
      [
        { deleteMany: { filter: { ...ofGroup, sources: [source] }, hint } },
        {
          updateMany: {
            // `sources.1` limits this to a file of another source too: another replica may just have added the file again.
            filter: { ...ofGroup, 'sources.1': { $exists: true } },
            update: { $pull: { sources: source } },
            hint,
          },
        },
      ],
      within(timed),
    );
  }

  /** A file of a source: any, or one of the Workspace of a group, or one of these paths of the group; null when it has none. */
  async any(source: SourceKind, group?: FileGroup, paths?: readonly string[]): Promise<StoredFile | null> {
    const filter = {
      ...(group !== undefined && { workspace_id: group.workspaceId }),
      ...(group !== undefined &&
        paths !== undefined && { _id: { $in: paths.map((path) => fileKey(group, path)) } }),
      sources: source,
    };
    const hint = paths === undefined ? bySource : '_id_';
    return await this.#files.findOne(filter, { hint, ...within(inBackground) });
  }

  /**
   * Removes a source from all files, and files without another source, in batches.
   *
   * @returns whether no file has the source; false when the deadline is near.
   */
  async removeAll(source: SourceKind, timed: Timed): Promise<boolean> {
    for (let file = await this.any(source); file !== null; file = await this.any(source)) {
      if (timed.deadline - performance.now() < LAST_BATCH_MS) return false;
      const group = { workspaceId: file.workspace_id, owner: file.owner };
      const batch = await this.first(READ_BATCH, group, '', timed, source);
      const paths = batch.map(({ path }) => path);
      await this.remove(source, group, paths, timed);
    }
    return true;
  }

  /** The groups that have files. */
  async *groups(): AsyncGenerator<FileGroup> {
    for (const workspaceId of await this.#workspaces()) {
      const filter = { workspace_id: workspaceId };
      const owners = await this.#files.distinct('owner', filter, within(inBackground));
      yield* owners.map((owner) => ({ workspaceId, owner }));
    }
  }

  async #workspaces(): Promise<string[]> {
    return await this.#files.distinct('workspace_id', {}, within(inBackground));
  }
}

function inGroup({ workspaceId, owner }: FileGroup): Filter<StoredFile> {
  return { workspace_id: workspaceId, owner };
}
