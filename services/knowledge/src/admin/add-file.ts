import { ActionError, addFile } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import { isVisiblePath } from '../files/file-path.ts';
import { fileKey } from '../files/stored-file.ts';

/**
 * `admin.knowledge.add_file`: makes a file visible without a directory. Adding it again, or adding a file of the directory
 * source, changes nothing for callers and returns the same key.
 */
export function serveAddFile({ files }: Dependencies): ServedCall {
  return serveCall(addFile, async ({ workspace, user, path }, context) => {
    if (!isVisiblePath(path)) {
      throw new ActionError('invalid_request', {
        message:
          'path: must be names joined by "/", none of them empty, beginning with a dot or holding a NUL character.',
      });
    }
    const group = { workspaceId: workspace, owner: user ?? null };
    await files.put('added', group, [path], context);
    return { file: { key: fileKey(group, path), path } };
  });
}
