import type { Principal } from '@action-platform/contracts/authority';
import { listVisibleFiles } from '@action-platform/contracts/operations';
import { type OperationContext, type ServedCall, serveOperation } from '@action-platform/service-host';
import type { Dependencies } from '../dependencies.ts';
import type { Files } from '../files/files.ts';

/** The groups in the order of the listing, with their labels. */
const groups = [
  { scope: 'company', label: 'Company Files', ownerOf: () => null },
  { scope: 'personal', label: 'Personal Files', ownerOf: ({ userId }: Principal) => userId },
] as const;

/**
 * `knowledge.list_visible_files`: the files of the caller's Workspace, then those of the acting Member. A routine grant sees the
 * groups that it lists. The handler streams files from the database, so a group may have any size.
 */
export function serveListVisibleFiles({ files }: Dependencies): ServedCall {
  return serveOperation(listVisibleFiles, async (input, context) => {
    const { granted } = context;
    const listed = groups.filter(
      ({ scope }) =>
        (input.scope === 'all' || input.scope === scope) &&
        (granted === undefined || granted.includes(scope)),
    );
    return { groups: describeGroups(listed, files, context) };
  });
}

async function* describeGroups(
  listed: readonly (typeof groups)[number][],
  files: Files,
  context: OperationContext,
) {
  const { principal } = context;
  const { workspaceId } = principal;
  yield listed.map(({ label, ownerOf }) => ({
    label,
    files: files.list({ workspaceId, owner: ownerOf(principal) }, context),
  }));
}
