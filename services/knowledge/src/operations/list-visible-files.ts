import { listVisibleFiles } from '@action-platform/contracts/operations';
import { type OperationContext, type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import type { Files } from '../files/files.ts';
import { visibleGroups } from '../files/visible-groups.ts';

/**
 * `knowledge.list_visible_files`: the visible groups of the asked scope. The handler streams files from the database, so a group may
 * have any size.
 */
export function serveListVisibleFiles({ files }: Dependencies): ServedCall {
  return serveOperation(listVisibleFiles, async (input, context) => {
    const groups = visibleGroups(context).filter(
      ({ scope }) => input.scope === 'all' || input.scope === scope,
    );
    return { groups: describeGroups(groups, files, context) };
  });
}

async function* describeGroups(
  groups: ReturnType<typeof visibleGroups>,
  files: Files,
  context: OperationContext,
) {
  yield groups.map(({ label, group }) => ({ label, files: files.list(group, context) }));
}
