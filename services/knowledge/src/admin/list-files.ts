import { listFiles, OPERATOR_LIST_MAX } from '@action-platform/contracts';
import { type ServedCall, serveCall } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';

/** `admin.knowledge.list_files`: one group at a time, a limited number of files. */
export function serveListFiles({ files }: Dependencies): ServedCall {
  return serveCall(listFiles, async ({ workspace, user, after }, context) => {
    const group = { workspaceId: workspace, owner: user ?? null };
    const listed = await files.first(OPERATOR_LIST_MAX + 1, group, after ?? '', context);
    const hasMore = listed.length > OPERATOR_LIST_MAX;
    const shown = listed.slice(0, OPERATOR_LIST_MAX);
    return { files: shown, next_after: hasMore ? shown.at(-1)!.path : null };
  });
}
