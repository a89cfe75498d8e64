import type { Files } from '../files/files.ts';
import { groupFolder, placeOf } from '../files/layout.ts';
import type { FileGroup } from '../files/stored-file.ts';
import { GroupComparison } from './group-comparison.ts';

/** The outcome of a pass that listed the bucket whole. */
interface PassOutcome {
  /** The number of keys that name no visible file. */
  readonly leftOut: number;
  /** Whether no key names a visible file. */
  readonly foundNothing: boolean;
  /** Whether the listing is the bucket's now; otherwise a further pass is due. */
  readonly isComplete: boolean;
}

/** The conditions of a pass. */
interface PassOptions {
  /** Whether the listing may become empty: the pass before found nothing either. */
  readonly mayEmpty: boolean;
  /** Runs before each step that changes the listing; the pass ends when it rejects. */
  readonly confirm: () => Promise<void>;
}

/**
 * Updates the listing from a bucket, group after group. A group's files are removed only after a key behind the group, or the end of
 * the listing: a pass that fails in the middle removes nothing of the group where it failed, nor of any after it.
 *
 * @param pages the keys of the bucket, as `BucketKeys` has them.
 */
export async function passOver(
  pages: AsyncIterable<readonly (string | undefined)[]>,
  files: Files,
  { mayEmpty, confirm }: PassOptions,
): Promise<PassOutcome> {
  /** The folders of the groups with files in the bucket. */
  const found = new Set<string>();
  let leftOut = 0;
  let isComplete = true;
  let comparison: GroupComparison | undefined;
  const finish = async () => {
    const isWhole = await comparison?.finish(confirm);
    if (isWhole === false) isComplete = false;
  };
  for await (const keys of pages) {
    await confirm();
    const page = filesOf(keys);
    leftOut += page.leftOut;
    for (const [folder, { group, paths }] of page.groups) {
      if (!found.has(folder)) {
        await finish();
        comparison = await GroupComparison.begin(files, group);
        found.add(folder);
      }
      await comparison!.take(paths);
    }
  }
  await finish();
  const foundNothing = found.size === 0;
  if (foundNothing && !mayEmpty) return { leftOut, foundNothing, isComplete };
  for await (const group of listedGroups(files)) {
    if (found.has(groupFolder(group))) continue;
    comparison = await GroupComparison.begin(files, group);
    await finish();
  }
  return { leftOut, foundNothing, isComplete };
}

/** The visible files of a page by the folders of their groups, in the order of the page. */
function filesOf(keys: readonly (string | undefined)[]) {
  const groups = new Map<string, { readonly group: FileGroup; readonly paths: string[] }>();
  let leftOut = 0;
  for (const key of keys) {
    const place = key === undefined ? undefined : placeOf(key);
    if (place?.kind === 'files' && place.path !== '') {
      const folder = groupFolder(place.group);
      const paths = groups.get(folder)?.paths ?? [];
      if (paths.push(place.path) === 1) groups.set(folder, { group: place.group, paths });
    } else leftOut++;
  }
  return { groups, leftOut };
}

async function* listedGroups(files: Files): AsyncGenerator<FileGroup> {
  for (const workspaceId of await files.workspaces()) yield* await files.groups(workspaceId);
}
