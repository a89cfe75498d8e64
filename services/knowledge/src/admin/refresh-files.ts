import { ActionError, refreshFiles } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.knowledge.refresh_files`: begins a pass over all files of every source, which otherwise follows a pause. */
export function serveRefreshFiles({ sources }: Dependencies): ServedCall {
  return serveCall(refreshFiles, async () => {
    if (sources.length === 0) {
      const message = 'Neither FILES_DIR nor FILES_S3_BUCKET is set, so there are no files to scan.';
      throw new ActionError('invalid_request', { message });
    }
    await Promise.all(sources.map((source) => source.refresh()));
    return { refreshing: sources.map(({ variable }) => variable) };
  });
}
