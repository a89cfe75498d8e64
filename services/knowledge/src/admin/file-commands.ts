import { addFile, forgetFiles, listFiles, refreshFiles } from '@action-platform/contracts/calls';
import { ActionError, invalidRequest } from '@action-platform/contracts/errors';
import { OPERATOR_LIST_MAX } from '@action-platform/contracts/limits';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { isVisiblePath } from '../files/file-path.ts';
import { fileKey } from '../files/stored-file.ts';

/** The operator's commands about files. */
export function serveFileCommands({ files, sources }: Dependencies): ServedCall[] {
  return [
    /** Adding a file again, or adding a file of a source, changes nothing for callers and returns the same key. */
    serveCall(addFile, async ({ workspace, user, path }, context) => {
      if (!isVisiblePath(path)) {
        throw invalidRequest(
          'path: must be names joined by "/", none of them empty, beginning with a dot or holding a NUL character.',
        );
      }
      const group = { workspaceId: workspace, owner: user ?? null };
      await files.put('added', group, [path], context);
      return { file: { key: fileKey(group, path), path } };
    }),

    serveCall(listFiles, async ({ workspace, user, after }, context) => {
      const group = { workspaceId: workspace, owner: user ?? null };
      const found = await files.first(OPERATOR_LIST_MAX + 1, group, after ?? '', context);
      const hasMore = found.length > OPERATOR_LIST_MAX;
      const shown = found.slice(0, OPERATOR_LIST_MAX);
      return { files: shown, next_after: hasMore ? shown.at(-1)!.path : null };
    }),

    /**
     * An operator confirms that a source was emptied or is no longer configured on purpose. The service refuses the command when it
     * follows the sources of all files, because the next pass would list them again. The service forgets files in batches, so a
     * repeated command continues the one before.
     */
    serveCall(forgetFiles, async (_, context) => {
      const followed = sources.filter(({ isListingKept }) => !isListingKept);
      const others = (['directory', 's3'] as const).filter((kind) =>
        followed.every((each) => each.kind !== kind),
      );
      const forgettable = await Promise.all(others.map((kind) => files.any(kind)));
      if (followed.length > 0 && forgettable.every((file) => file === null)) {
        const names = followed.map(({ variable }) => variable).join(' and ');
        throw invalidRequest(
          `The listing of ${names} is followed; this command is for one that was emptied or is no longer configured.`,
        );
      }
      const message = 'Some files are not forgotten yet: repeat the command.';
      for (const kind of others)
        if (!(await files.removeAll(kind, context)))
          throw new ActionError('action_platform_unavailable', { message });
      return { forgotten: true as const };
    }),

    /** Begins a pass over all files of every source, which otherwise follows a pause. */
    serveCall(refreshFiles, async () => {
      if (sources.length === 0) {
        throw invalidRequest('Neither FILES_DIR nor FILES_S3_BUCKET is set, so there are no files to scan.');
      }
      await Promise.all(sources.map((source) => source.refresh()));
      return { refreshing: sources.map(({ variable }) => variable) };
    }),
  ];
}
